/**
 * Returns how to start a program. On Windows, npm and other `.cmd` files run only in a shell, which needs quotes around
 * paths with spaces.
 * @param {NodeJS.Platform} platform @param {string} command @param {string[]} args
 * @returns {{ command: string, args: string[], shell: boolean }}
 */
export function shellCommand(platform, command, args) {
  if (platform !== "win32" || /\.exe$/i.test(command)) return { command, args, shell: false };
  return { command: quoted(command), args: args.map(quoted), shell: true };
}

/** @param {string} text */
function quoted(text) {
  return /^[\w.:/\\=@-]+$/.test(text) ? text : `"${text}"`;
}
