"""The programs that the Iorek paper shows, as they are printed there, completed where it says that it leaves out."""

BASIC_STRING = r'''#rx"([a-zA-Z0-9-]|/|\\|;|_|,|:|=|@|!|'|%|#|(\\.)| )*"'''

BLACK_BOX = r"""
(define-program 24HourBlackbox
  ; black-box
  (declare hh #rx"(([0-1]\d)|(2[0-3]))")
  (declare mm #rx"[0-5]\d")
  (declare 24Hour (concat ":" hh mm))
  (declare time ?String)
  ; which can produce at most two inputs with cover-regexp
  (generate testCoverRegexp 2
    (constrain-solutions time (cover-regexp 24Hour))))
"""

WHITE_BOX = r"""
(define-program 24HourWhitebox
  ; white-box
  (declare hh #rx"(0|[1-2]|[3-9]|X)(0|[1-3]|[4-9])")
  (declare mm #rx"(0|[1-5]|[6-9])(0|[1-9])")
  (declare 24Hour (concat ":" hh mm))
  (declare time ?String)
  (generate testCoverRegexp all
    (constrain-solutions time (cover-regexp 24Hour))))
"""

# section 7.2: the same regexes, with every string different
NOT_EQUAL = r"""
(define-program 24Hour
  (declare hh #rx"(([0-1]\d)|(2[0-3]))")
  (declare mm #rx"[0-5]\d")
  (declare blackBox (concat ":" hh mm))
  (declare hh2 #rx"(0|[1-2]|[3-9]|X)(0|[1-3]|[4-9])")
  (declare mm2 #rx"(0|[1-5]|[6-9])(0|[1-9])")
  (declare whiteBox (concat ":" hh2 mm2))
  (generate black 60 (declare time ?blackBox) (constrain-solutions time not-equal))
  (generate white 60 (declare time ?whiteBox) (constrain-solutions time not-equal)))
"""

# section 4.2: a primitive assertion that is given a blank
HOURS = """
(program hours
  (define (non-negative h) (≥ h 0))
  (declare numHours ?(Integer -3 3))
  (specify numHours (non-negative))
  (generate hours all))
"""

# section 4.5: what choosing among three assertions comes to, with its two hidden truth values in the open
CHOSEN = """
(program chosen
  (declare b0 ?Boolean)
  (declare b1 ?Boolean)
  (declare x ?(Integer 1 12))
  (specify x (ite b0 (= x 3) (ite b1 (> x 10) (< x 5))))
  (generate all3 all
    (constrain-solutions b0 (ite b0 never (relation b1 not-equal)))))
"""

# section 4.3: usernames of different lengths, at an edit distance, and related by any relation
USERNAMES = r"""
(program usernames
  (declare username ?String)
  (specify username (matches "[a-zA-Z0-9_]+"))
  (generate notEqual 10 (constrain-solutions username not-equal))
  (generate lengths 10 (constrain-solutions username different-lengths))
  (generate edits 5 (constrain-solutions username (edit-distance 3)))
  (generate related 5
    (constrain-solutions username
      (relation username (λ (v1 v2) (≠ (string-length v1) (string-length v2))))))
  (generate covered all (constrain-solutions username (cover-regexp "[a-zA-Z0-9_]+"))))
"""

# section 4.4: linear enumeration, and preferring small numbers
ENUMERATED = r"""
(program enumerated
  (define (prefer-small x)
    (enumerate*
      (list (< x 100) (≥ x 100))
      (list (relation x not-equal) (relation x (numeric-distance 50)))))
  (declare x ?Integer)
  (specify x (gte 1))
  (specify x (lt 1000))
  (generate linear all
    (constrain-solutions x (enumerate-linear (list (= x 3) (> x 10) (< x 5)))))
  (generate never3 all
    (constrain-solutions x (enumerate* (list (= 3) (> 10) (< 5)) (list never never never))))
  (generate preferSmall all (constrain-solutions x (prefer-small x))))
"""

# section 4.4: the product tree, with the recursion in Python
PRODUCTS = """
(program products
  (declare item ?Item)
  (generate everySubcategory all (constrain-solutions item cover-products)))
"""
PRODUCTS_MODULE = """
from unlike import Int, OneOf, distance, enumerate_, record

Item = record(subcategory=OneOf("rock", "jazz", "boots"), price=Int(1, 100))
TREE = {"Music": ["rock", "jazz"], "Shoes": ["boots"]}


def in_subcat(item, name):
    return item.subcategory == name


def cover_products(item, tree=TREE):
    if isinstance(tree, dict):
        inner = [cover_products(item, each) for each in tree.values()]
        return enumerate_([True] * len(inner), inner)
    return enumerate_([in_subcat(item, name) for name in tree], [distance(item.price, 50)] * len(tree))
"""

# section 1: items differ in category, or by 50 in price
RETAIL = """
(program retail
  (declare category ?(OneOf "Music" "Shoes" "Books"))
  (declare price ?(Integer 1 200))
  (generate items all
    (constrain-solutions category not-equal)
    (constrain-solutions price (numeric-distance 50))))
"""

# section 5.3: any character, by the length of the string
ANY_CHARACTER = """
(program any
  (declare s ?String)
  (generate one all
    (constrain-solutions s (enumerate* (list (= (string-length s) 1)) (list never)))))
"""

# section 5.2: names with prefixes and suffixes
FULL_NAMES = r"""
(program names
  (declare full #rx"((Ms|Mr|Mrs|Dr)\s+)?[A-Z][a-z]+\s+([A-Z][a-z]+\s+)?[A-Z][a-z]+\s+(Jr|Sr)?")
  (generate names 20
    (declare name ?String)
    (constrain-solutions name (cover-regexp full))))
"""

TABLES = """
(program tables
  (declare x ?Integer)
  (declare lower ?String)
  (specify lower (matches "[a-z]*"))
  (declare word ?String)
  (generate table1 200 (constrain-solutions x not-equal))
  (generate table2 100 (constrain-solutions x (numeric-distance 10)))
  (generate table3 50 (constrain-solutions lower different-lengths))
  (generate table4 1000
    (constrain-solutions word (cover-regexp "[_a-zA-Z][_a-zA-Z0-9]+" (heuristic concatenation)))))
"""

# section 1: three tests, each from another branch
BRANCHES = """
(program branches
  (declare s ?String)
  (generate three 3 (constrain-solutions s (cover-regexp "[a-z]+|[0-9]+|_"))))
"""

# section 5.1: how cover-regexp is made of enumerate*, over classes, unions and repetition, with the recursion in Python
STRUCTURAL = """
(program structural
  (declare username ?String)
  (specify username (matches "[a-zA-Z0-9_]+"))
  (generate short all (constrain-solutions username cover-by-structure)))
"""
STRUCTURAL_MODULE = """
from unlike import enumerate_, never

USERNAME = ("plus", ("union", ("class", "[a-z]"), ("union", ("class", "[A-Z]"), ("union", ("class", "[0-9]"), ("class", "_")))))


def cover_by_structure(s, r=USERNAME):
    match r:
        case ("class", inner):
            return enumerate_([s.matches(inner)], [never])
        case ("union", one, two):
            return enumerate_([True, True], [cover_by_structure(s, one), cover_by_structure(s, two)])
        case ("plus", inner):
            return enumerate_([s.matches("[a-zA-Z0-9_]+")], [cover_by_structure(s, inner)])
"""
