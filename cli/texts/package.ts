/** Scripts that build the package of the tool, install it from source, and complete the lock file. */

export const PACKAGE_TEXTS = {
  description: "Visual regression testing from the command line, with baselines in your own repository.",
};

export const PACKAGE_ERRORS = {
  notCompiled: (output: string) => `Failed to compile the package.\n${output}`,
  notADependency: (name: string) => `${name} is imported, but is not a dependency in package.json.`,
  notInLock: (name: string) => `${name} is imported, but is not a dependency in the lock file.`,
  noFolder: "There is no folder to install to. Give one: `node cli/package/install-source.ts <folder>`",
};

export const LOCK_TEXTS = {
  complete: "package-lock.json is complete.",
  added: (packages: number) => `Added ${packages} packages of other platforms to package-lock.json.`,
  unknownPlatform: (name: string) =>
    `The platform of ${name} is unknown. Install it, so that npm locks it itself.`,
  noChecksum: (name: string, version: string) =>
    `The registry has no ${name}@${version}, so its checksum is unknown. Lock a version of its parent that the registry has for every platform.`,
  notExact: (parent: string, name: string, version: string) =>
    `${parent} depends on ${name} ${version}, which is not an exact version.`,
};
