/** Returns an image's HTML; one whose file ends in `-light` with its dark twin, of which the theme shows one. */
export function inBothColors(html: string): string {
  if (!/src="[^"]+-light\.webp"/.test(html)) return html;
  const twin = html.replace("-light.webp", "-dark.webp");
  return html.replace("<img ", '<img class="light-only" ') + twin.replace("<img ", '<img class="dark-only" ');
}
