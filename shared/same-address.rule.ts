/** Returns whether two HTTP URLs are of the same service. Slashes at the end and the case of the host don't matter. */
export function isSameAddress(one: string, other: string): boolean {
  const [first, second] = [URL.parse(one), URL.parse(other)];
  return (
    first !== null && second !== null && first.origin === second.origin && pathOf(first) === pathOf(second)
  );
}

function pathOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, "");
}
