// Writes which characters have which Unicode property, as node's own regular expressions say (one JSON document).
//   node tests/regex/node/properties.mjs > src/unlike/regex/dialects/properties.json
// Names are the ones that ECMA-262 lists. A set is told by steps: how far to the next run, how long it is, in base 36.
import { createRequire } from "node:module";

const values = createRequire(import.meta.url)("unicode-property-value-aliases-ecmascript");
const BINARY = `ASCII ASCII_Hex_Digit=AHex Alphabetic=Alpha Any Assigned Bidi_Control=Bidi_C Bidi_Mirrored=Bidi_M
  Case_Ignorable=CI Cased Changes_When_Casefolded=CWCF Changes_When_Casemapped=CWCM Changes_When_Lowercased=CWL
  Changes_When_NFKC_Casefolded=CWKCF Changes_When_Titlecased=CWT Changes_When_Uppercased=CWU Dash
  Default_Ignorable_Code_Point=DI Deprecated=Dep Diacritic=Dia Emoji Emoji_Component=EComp Emoji_Modifier=EMod
  Emoji_Modifier_Base=EBase Emoji_Presentation=EPres Extended_Pictographic=ExtPict Extender=Ext Grapheme_Base=Gr_Base
  Grapheme_Extend=Gr_Ext Hex_Digit=Hex IDS_Binary_Operator=IDSB IDS_Trinary_Operator=IDST ID_Continue=IDC ID_Start=IDS
  Ideographic=Ideo Join_Control=Join_C Logical_Order_Exception=LOE Lowercase=Lower Math Noncharacter_Code_Point=NChar
  Pattern_Syntax=Pat_Syn Pattern_White_Space=Pat_WS Quotation_Mark=QMark Radical Regional_Indicator=RI
  Sentence_Terminal=STerm Soft_Dotted=SD Terminal_Punctuation=Term Unified_Ideograph=UIdeo Uppercase=Upper
  Variation_Selector=VS White_Space=space XID_Continue=XIDC XID_Start=XIDS`.split(/\s+/);

const every = [];
for (let point = 0; point <= 0x10ffff; point++) every.push(String.fromCodePoint(point));

function steps(expression) {
  const has = new RegExp(`^${expression}$`, "u");
  const found = [];
  let from = 0;
  let start = -1;
  for (let point = 0; point <= 0x110000; point++) {
    const inside = point <= 0x10ffff && has.test(every[point]);
    if (inside && start < 0) start = point;
    if (!inside && start >= 0) {
      found.push((start - from).toString(36), (point - start).toString(36));
      from = point;
      start = -1;
    }
  }
  return found.join(" ");
}

const table = { unicode: process.versions.unicode, binary: {}, gc: {}, sc: {}, scx: {} };
function known(expression) {
  try {
    new RegExp(expression, "u");
    return true;
  } catch {
    return false;
  }
}
for (const entry of BINARY) {
  const names = entry.split("=");
  if (known(`\\p{${names[0]}}`)) table.binary[names[0]] = { names, steps: steps(`\\p{${names[0]}}`) };
}
for (const [property, short] of [["General_Category", "gc"], ["Script", "sc"], ["Script_Extensions", "scx"]]) {
  const names = new Map();
  for (const [alias, canonical] of values.get(property)) {
    names.set(canonical, [...new Set([...(names.get(canonical) ?? [canonical]), alias])]);
  }
  for (const [canonical, aliases] of names) {
    const expression = `\\p{${property}=${canonical}}`;
    if (known(expression)) table[short][canonical] = { names: aliases, steps: steps(expression) };
  }
}
process.stdout.write(JSON.stringify(table) + "\n");
