/** Screenshots in folders: `vrs check --screenshots`. */

export const SCREENSHOT_ERRORS = {
  none: (pattern: string) =>
    `${pattern} has no screenshots. Run the tests that write them, or check the path. vrs reads PNG, JPEG, and WebP files.`,
  noneOf: (pattern: string, tool: string) =>
    `${pattern} has no image files with names of ${tool}. Check the path.`,
  missing: (pattern: string) =>
    `${pattern} doesn't exist. Run the tests that write the screenshots, or check the path.`,
  twice: (name: string, first: string, second: string) =>
    `Two screenshots are named ${name}: ${first} and ${second}. Rename one of them.`,
  badName: (path: string, why: string) => `The name of the screenshot ${path} ${why}. Rename the file.`,
  sidecar: (path: string, why: string) => `Failed to read the metadata in ${path}: ${why}`,
  sidecarReasons: {
    notAFile: "it is not a file.",
    tooLarge: "the file is larger than 1 MiB.",
    notJson: "the file is not a JSON object.",
    missingFile: (path: string) =>
      `the attachment ${path} doesn't exist. Write its path from the folder of the image.`,
    foreignFile: (path: string) =>
      `the attachment ${path} is not below the folder of the image. Copy it there before the upload.`,
    whole: "The file",
  },
  unknownField: (field: string, near: string | null) =>
    `"${field}" is not a field.${near === null ? "" : ` Did you mean ${near}?`}`,
  tooLarge: (mib: number) => `the file is larger than ${mib} MiB`,
  unreadable: (path: string, why: string) => `Failed to read the screenshot ${path}: ${why}.`,
  withPages: (option: string) => `${option} is for pages. Leave it out with --screenshots.`,
  needsScreenshots: (option: string) => `${option} is for screenshots. Use it with --screenshots.`,
  noNaming: (text: string, tools: readonly string[]) =>
    `"${text}" is not a tool whose file names vrs knows. Choose one of ${tools.join(", ")}.`,
  setName: (name: string) =>
    `"${name}" is not a name of baselines. Use lowercase letters, digits, and hyphens, such as components.`,
};

export const SCREENSHOT_NOTES = {
  replaces: (name: string, viewport: number) =>
    `It is compared with the baseline of ${name} at ${viewport} px.`,
};
