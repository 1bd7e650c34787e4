import { defineConfig } from "vitepress";
import { anchor } from "./anchor.ts";
import { codeClasses } from "./code-classes.ts";
import { diagram } from "./diagram.ts";
import { inBothColors } from "./in-both-colors.ts";
import { navigation } from "./navigation.ts";
import { withoutStyles } from "./without-styles.ts";

/** The docs as a site: `npm run docs:build`. The gateway serves it at `/docs`. */
export default defineConfig({
  title: "vrs",
  titleTemplate: ":title · vrs docs",
  description: "Visual regression service: captures web pages, compares them, and shows what changed.",
  lang: "en-US",
  base: "/docs/",
  cleanUrls: true,
  // Its transition is a style of its own in the page, which the policy forbids.
  appearance: { disableTransition: false },
  srcExclude: ["build/**"],
  head: [["link", { rel: "icon", href: "/docs/icon.svg", type: "image/svg+xml" }]],
  markdown: {
    anchor: { slugify: anchor },
    // Routes have braces: `/v1/runs/{id}`.
    attrs: false,
    codeTransformers: [codeClasses],
    theme: { light: "github-light-high-contrast", dark: "github-dark" },
    config(markdown) {
      const fence = markdown.renderer.rules.fence;
      markdown.renderer.rules.fence = (tokens, index, ...more) => {
        const token = tokens[index];
        if (token?.info.trim() === "mermaid") return diagram(token.content);
        return fence?.(tokens, index, ...more) ?? "";
      };
      const image = markdown.renderer.rules.image;
      markdown.renderer.rules.image = (...all) => inBothColors(image?.(...all) ?? "");
      const wide = markdown.renderer.rules.table_open;
      markdown.renderer.rules.table_open = (...all) =>
        `<div class="wide-table" tabindex="0">${wide?.(...all) ?? "<table>\n"}`;
      markdown.renderer.rules.table_close = () => "</table>\n</div>\n";
    },
  },
  transformHtml: withoutStyles,
  themeConfig: {
    siteTitle: "vrs docs",
    logo: { src: "/icon.svg", alt: "" },
    outline: { level: [2, 3], label: "On this page" },
    search: { provider: "local" },
    sidebar: navigation(),
    nav: [
      { text: "Tutorials", link: "/tutorials/service", activeMatch: "^/tutorials/" },
      { text: "Guides", link: "/guides/review-changes", activeMatch: "^/guides/" },
      { text: "Reference", link: "/reference/api", activeMatch: "^/reference/" },
      { text: "Explanation", link: "/explanation/stability", activeMatch: "^/explanation/" },
    ],
    docFooter: { prev: "Previous", next: "Next" },
    externalLinkIcon: true,
  },
});
