/**
 * Returns every text of a catalogue by its name, such as `CHECK_ERRORS.unreachable`. Functions get a
 * placeholder for each argument.
 */
export function sampledTexts(value: unknown, name: string): [name: string, text: string][] {
  if (typeof value === "string") return [[name, value]];
  if (isTextFunction(value)) return sampledTexts(calledWithSamples(value), name);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    sampledTexts(part, name === "" ? key : `${name}.${key}`),
  );
}

type TextFunction = (...values: unknown[]) => unknown;

const isTextFunction = (value: unknown): value is TextFunction => typeof value === "function";

/** Calls a text's function with numbers, or with lists or objects if it needs those. */
function calledWithSamples(text: TextFunction): unknown {
  const failures: unknown[] = [];
  for (const sample of SAMPLES) {
    try {
      return text(...Array.from({ length: text.length }, () => sample));
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(failures, `no sample fits ${text}`);
}

const SHOT = { route: "/x", viewport: 2, from: null, file: "x.png", kind: "new", size: 2 };
/** For each kind of argument: a number, a list of strings, a list that is also an object with fields, and a path. */
const SAMPLES = [2, ["x"], Object.assign([SHOT], SHOT), "/x"];
