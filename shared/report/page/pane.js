// @ts-check

/**
 * @typedef {{ element: HTMLElement, label: HTMLElement, port: HTMLElement, sheet: import("./sheet.js").Sheet }} Pane
 */

/** Creates the label of one side. @param {string} text */
export function createLabel(text) {
  const label = document.createElement("span");
  label.textContent = text;
  return label;
}

/** Creates a pane that shows a sheet. @param {import("./sheet.js").Sheet} sheet @returns {Pane} */
export function createPane(sheet) {
  const element = document.createElement("div");
  element.className = "pane";
  const label = document.createElement("p");
  label.className = "pane-label";
  const port = document.createElement("div");
  port.className = "port";
  port.append(sheet.element);
  element.append(label, port);
  return { element, label, port, sheet };
}
