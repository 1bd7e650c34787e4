import stringWidth from "string-width";

/** Returns the cells that a text takes on a terminal. East Asian characters and emoji take two. */
export const widthOf = (text: string): number => stringWidth(text);

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const charactersOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);

/** Shortens a text in its middle to a number of cells, since a path's end is most telling. */
export function shorten(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  if (cells < 1) return "";
  const characters = charactersOf(text);
  const tail = leading(characters.toReversed(), Math.ceil((cells - 1) / 2)).reverse();
  const head = leading(characters, cells - 1 - widthOf(tail.join("")));
  return `${head.join("")}…${tail.join("")}`;
}

/** Returns as many leading characters as fit. */
function leading(characters: string[], cells: number): string[] {
  let left = cells;
  const end = characters.findIndex(character => {
    left -= widthOf(character);
    return left < 0;
  });
  return end === -1 ? characters : characters.slice(0, end);
}

export const padEnd = (text: string, cells: number) => text + " ".repeat(Math.max(0, cells - widthOf(text)));
export const padStart = (text: string, cells: number) =>
  " ".repeat(Math.max(0, cells - widthOf(text))) + text;

/** Keeps two words on one line. */
export const NO_BREAK = "\u00a0";

/** Wraps words into lines of a number of cells. Breaks longer words. */
export function wrap(text: string, cells: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text
    .split(/[^\S\u00a0]+/)
    .filter(each => each !== "")
    .flatMap(each => pieces(each, cells))) {
    if (line !== "" && widthOf(line) + 1 + widthOf(word) > cells) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}

function pieces(word: string, cells: number): string[] {
  if (widthOf(word) <= cells) return [word];
  const characters = charactersOf(word);
  const first = leading(characters, cells);
  const length = Math.max(1, first.length);
  return [characters.slice(0, length).join(""), ...pieces(characters.slice(length).join(""), cells)];
}
