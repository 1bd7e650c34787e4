/** `vrs init`: questions, results, and errors. The files that it writes are in `shared/project-config/starter-*.ts`. */

export const INIT_TEXTS = {
  found: (framework: string) => `Found ${framework}. Press Enter to accept the value in parentheses.`,
  askBaseUrl: "URL during development",
  askRoutes: "Pages (paths, separated by commas)",
  askViewports: "Widths in px",
  aboutThreshold:
    "The threshold is the share of a page's pixels that may change before it needs review. Smaller changes are only listed. At 0%, every changed pixel needs review.",
  askThreshold: "Threshold in percent",
  action: (action: string) => `  The workflow runs the action ${action}. To run another one, use --action.`,
  skipped: (why: string) => `not written: ${why}`,
  next: "Next steps",
  commit: "Then commit the baselines with your code.",
  /** Reasons after `not written:`. */
  exists: "it already exists",
  unknownAction:
    "no action was found, and vrs is not a dependency. Install vrs in the project, or use --action owner/repo",
  notTopFolder: (runner: string, folder: string) =>
    `workflows run only from the top folder of a repository; create one there that runs ${runner} with working-directory: ${folder}`,
};

export const INIT_ERRORS = {
  exists: (file: string) => `${file} already exists. Edit it, or overwrite it with \`vrs init --force\`.`,
  otherExists: (file: string) => `${file} already exists. Edit it instead.`,
  width: (text: string | number, width: string) => `In "viewports", ${text} is not a ${width}.`,
  threshold: (text: string) => `"${text}" is not a threshold. Enter a number from 0 to 100.`,
  configuration: "The configuration",
  action: (action: string) => `--action must be owner/repo. You gave "${action}".`,
};
