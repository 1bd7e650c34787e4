/**
 * Computed properties that can change pixels. Sizes and offsets that follow from the layout are in the boxes. Values
 * that follow from others, such as `transform-origin`, are left out.
 */
export const CAPTURED_PROPERTIES = [
  ...["display", "position", "visibility", "opacity", "float", "z-index", "content"],
  ...["color", "background-color", "background-image", "background-size", "background-position-x"],
  ...["border-top-width", "border-right-width", "border-bottom-width", "border-left-width"],
  ...["border-top-style", "border-right-style", "border-bottom-style", "border-left-style"],
  ...["border-top-color", "border-right-color", "border-bottom-color", "border-left-color"],
  ...["border-top-left-radius", "border-top-right-radius"],
  ...["border-bottom-right-radius", "border-bottom-left-radius"],
  ...["box-shadow", "text-shadow", "outline-style", "outline-width", "outline-color"],
  ...[
    "font-family",
    "font-size",
    "font-weight",
    "font-style",
    "line-height",
    "letter-spacing",
    "word-spacing",
  ],
  ...["text-align", "text-decoration-line", "text-transform", "text-indent", "white-space", "vertical-align"],
  ...["list-style-type", "padding-top", "padding-right", "padding-bottom", "padding-left"],
  ...["margin-top", "margin-right", "margin-bottom", "margin-left", "row-gap", "column-gap"],
  ...["flex-direction", "flex-wrap", "flex-grow", "justify-content", "align-items", "align-self", "order"],
  ...["column-count", "max-width", "min-height", "transform", "rotate", "scale", "translate", "filter"],
  ...["backdrop-filter", "mix-blend-mode", "clip-path", "overflow-x", "overflow-y", "object-fit"],
  ...["fill", "stroke", "stroke-width"],
] as const;
