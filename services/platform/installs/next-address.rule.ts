/**
 * Where to lead a browser after an installation: to what the platform asked for, if that is at the platform or here,
 * else to a page of ours. Anybody may have written the address.
 * @param allowed addresses of the two
 */
export function nextAddress(asked: string | null, allowed: string[], own: string): string {
  // Browsers leave out tabs and line ends, and read a backslash as a slash.
  if (asked === null || !/^https?:\/\/[^\\\p{Cc}]+$/iu.test(asked)) return own;
  const url = URL.parse(asked);
  if (url?.username !== "" || url.password !== "") return own;
  return allowed.some(address => new URL(address).origin === url.origin) ? url.href : own;
}
