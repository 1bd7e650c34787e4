import { count } from "../text/format.ts";

/** Texts about configuration files, for their authors. */

export const CONFIG_ERRORS = {
  whole: "The configuration",
  unknownField: (field: string, near: string | null, known: readonly string[]) =>
    `"${field}" is not a known field. ${near === null ? `Known fields: ${known.join(", ")}.` : `Did you mean "${near}"?`}`,
  folder: "must be relative to the config file's folder",
};

/** Errors of a whole file. */
export const FILE_ERRORS = {
  tooLarge: (kib: number) => `The file is larger than ${kib} KiB. Shorten it.`,
  tooManyValues: "The file has too many values. Use fewer.",
  tooComplex: "The file is nested too deeply, or is too complex. Simplify it.",
  tooDeep: "The file is nested too deeply.",
  tooManyLevels: (levels: number) => `This is nested more than ${count(levels, "level")} deep.`,
  nestedTooDeep: "This is nested too deeply.",
  manyExports: "The file exports more than one configuration. Keep one.",
  noExport: "The file exports no configuration. Write: export default defineConfig({ … });",
  unreadable: (why: string) => `A configuration could not be read: ${why}`,
};

/** Problems of a part of a file. Each follows the part, as in `process.env.URL reads the environment …`. */
export const PART_ERRORS = {
  part: (part: string, error: string) => `${part} ${error}`,
  this: "This",
  environment:
    "reads the environment, which is not available because the file is read without running it. Write the value.",
  unreadable: "can't be read without running the file. Write the value.",
  cannotRead: "can't be read.",
  computed: "is computed, but the file is read without running it. Write the result.",
  called: "is a call, but the file is read without running it. Write the return value.",
  conditional: "depends on a condition, but the file is read without running it. Write the value.",
  function: "is a function, not a value. Write the value.",
  functionValue: "is a function, not a value.",
  imported: "is imported. Move its value into this file.",
  class: "is a class, not a value. Write the value.",
  notAValue: "is not a valid value. Write a string or a number.",
  objectInString: "puts an object into a string. Write the string.",
  emptyItem: "has an empty item between two commas. Remove one comma.",
  spreadsNoArray: "spreads a value that is not an array.",
  spreadsNoObject: "spreads a value that is not an object.",
  notAName: "is not the name of a field.",
  removeName: "is not the name of a field. Remove it.",
  notAField: "is not a field of a constant of this file. Write the value.",
  notAConstant: "is not a constant of this file. Write the value.",
  usedBefore: "is used before it is defined. Move it up.",
  is: (what: string) => `is ${what}.`,
  undefinedItem: "undefined can't be an item of a list. Remove it.",
  tag: "has a tag, which is not supported. Remove it.",
  notSupported: "is not supported here.",
  noAnchor: "refers to nothing before it in this file.",
  duplicate: "is a duplicate. Remove one.",
  plugins: "are code, which YAML can't contain. Set them in service.config.ts.",
  notEvaluated: (instead: string) =>
    `is not evaluated, because the file is read without running it. ${instead}`,
};

/** Kinds of names without a readable value. */
export const NAME_KINDS = {
  function: "a function",
  class: "a class",
  enum: "an enum. Use a constant object",
  imported: (source: string) => `imported from "${source}". Move its value into this file`,
  declared: (kind: string) => `declared with ${kind}. Use const`,
};

/** Alternatives to a statement. */
export const INSTEAD = {
  exportObject: "Export an object.",
  remove: "Remove it.",
  moveHere: "Move the configuration into this file.",
  writeResult: "Write the result into the configuration.",
};
