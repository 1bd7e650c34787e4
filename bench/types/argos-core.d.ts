declare module "@argos-ci/core" {
  /** Uploads the images below a folder, and creates a build. */
  export function upload(options: {
    apiBaseUrl: string;
    root: string;
    commit: string;
    branch: string;
    token: string;
    files: string[];
  }): Promise<unknown>;
}
