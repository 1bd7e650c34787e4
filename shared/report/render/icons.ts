import { Html, html } from "./html.ts";

/** Drawn on a 16 px grid in the text's color. Each status has its own shape, not only a color. */
const SHAPES = {
  unchanged: '<path d="M3 6h10M3 10h10"/>',
  changed: '<path d="M8 2.2 14 13H2Z"/><path d="M8 6.4v3M8 11.2v.1"/>',
  minor:
    '<path d="M2.6 6.6c1.8-2.2 3.6-2.2 5.4-.4s3.6 1.8 5.4-.4M2.6 11c1.8-2.2 3.6-2.2 5.4-.4s3.6 1.8 5.4-.4"/>',
  new: '<path d="M8 3v10M3 8h10"/>',
  removed: '<path d="M3 8h10"/><circle cx="8" cy="8" r="6"/>',
  failed: '<circle cx="8" cy="8" r="6"/><path d="m5.8 5.8 4.4 4.4M10.2 5.8l-4.4 4.4"/>',
  rejected: '<path d="m4 4 8 8M12 4l-8 8"/>',
  approved: '<path d="m3 8.5 3.2 3.2L13 4.8"/>',
  carried: '<path d="m1.5 6.5 2.6 2.6L9.4 3.6"/><path d="M6 12.5h8M11.8 10.2l2.2 2.3-2.2 2.3"/>',
  pending: '<circle cx="8" cy="8" r="6"/><path d="M8 4.6V8l2.4 1.6"/>',
  unstable: '<path d="M1.5 8c1.6-4 3.2-4 4.8 0s3.2 4 4.8 0 2.4-3 3.4-1.6"/>',
  back: '<path d="M10 3 5 8l5 5"/>',
  up: '<path d="m3.5 10 4.5-4.5 4.5 4.5"/>',
  down: '<path d="m3.5 6 4.5 4.5L12.5 6"/>',
  left: '<path d="M10 3.5 5.5 8l4.5 4.5"/>',
  right: '<path d="M6 3.5 10.5 8 6 12.5"/>',
  link: '<path d="M6.6 9.4 9.4 6.6M7 4.6l1.2-1.2a3 3 0 0 1 4.3 4.3L11.3 8.9M9 11.4l-1.2 1.2a3 3 0 0 1-4.3-4.3L4.7 7.1"/>',
  comment: '<path d="M2.5 3.5h11v7.5H7.5L4.5 13.5V11h-2Z"/>',
  search: '<circle cx="7" cy="7" r="4.2"/><path d="m10.2 10.2 3.3 3.3"/>',
};

export type IconName = keyof typeof SHAPES;

/** Renders an icon, hidden from screen readers. The word beside it has the meaning. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" width="16" height="16" aria-hidden="true"><use href="#icon-${name}"/></svg>`;
}

/** Renders the shapes that `icon` refers to, once per page. */
export function iconSprite(): Html {
  const symbols = Object.entries(SHAPES).map(
    ([name, shape]) => `<symbol id="icon-${name}" viewBox="0 0 16 16">${shape}</symbol>`,
  );
  return new Html(`<svg class="sprite" width="0" height="0" aria-hidden="true">${symbols.join("")}</svg>`);
}
