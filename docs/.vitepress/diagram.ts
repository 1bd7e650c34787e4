import { renderMermaidSVG } from "beautiful-mermaid";

/**
 * Returns a Mermaid diagram as SVG without styles of its own: the theme has them, so that the page's policy needs no
 * exception and the diagram follows light and dark.
 */
export function diagram(source: string): string {
  const svg = renderMermaidSVG(source, { bg: "var(--vp-c-bg)", fg: "var(--vp-c-text-1)" })
    .replace(/<style>[\s\S]*?<\/style>/g, "")
    .replace(/^<svg ([^>]*?) style="[^"]*"/, '<svg $1 role="img" aria-label="Diagram of the text above"');
  return `<div class="diagram" tabindex="0">${svg}</div>\n`;
}
