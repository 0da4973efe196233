// Reads [[pattern, [text, …]], …] and writes, for each, what node says with the u flag and without: null where it refuses
// the pattern, else one character a text: 1 if the pattern is found in it, 0 if not.
import { readFileSync } from "node:fs";

function answers(pattern, texts, flags) {
  let compiled;
  try {
    compiled = new RegExp(pattern, flags);
  } catch {
    return null;
  }
  return texts.map((text) => (compiled.test(text) ? "1" : "0")).join("");
}
const asked = JSON.parse(readFileSync(0, "utf-8"));
const said = asked.map(([pattern, texts]) => [pattern, texts, answers(pattern, texts, "u"), answers(pattern, texts, "")]);
process.stdout.write("[\n" + said.map((each) => JSON.stringify(each)).join(",\n") + "\n]\n");
