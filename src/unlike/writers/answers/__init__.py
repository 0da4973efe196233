"""One answer for every verb (envelope), the table of formats (formats), and what writes them (plain, answer_json)."""
