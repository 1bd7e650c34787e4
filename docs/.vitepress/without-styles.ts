/** Styles that the default theme sets while it renders a page; theme.css, or its script in the browser, has the same. */
const OF_THEME = / style="(?:position:relative|--vp-vh:0px);"/g;

/**
 * Returns a page's HTML without styles in attributes, which the page's policy forbids.
 * @throws Error for a style that is not known, because the page would look different without it
 */
export function withoutStyles(html: string): string {
  const strict = html.replace(OF_THEME, "");
  const [left] = /<[a-z][^<>]*\sstyle="[^"]*"/i.exec(strict) ?? [];
  if (left !== undefined) throw new Error(`The page's policy forbids this style, use a class: ${left}`);
  return strict;
}
