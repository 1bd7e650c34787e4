import type { Screenshot } from "../../api/screenshot.ts";
import { isUndecided } from "../../review/decisions/decision.ts";

/** A component of a Storybook, or a folder of components. */
export interface StoryNode {
  /** Last part of its title, such as `Button`. */
  label: string;
  /** Its whole title, such as `Forms/Button`. */
  path: string;
  /** Numbers of screenshots of it and of what is below it. */
  screenshots: number;
  open: number;
  children: StoryNode[];
}

/** Returns the components of stories as a tree, by their titles. Empty for a run without stories. */
export function storyTree(shots: readonly Screenshot[]): StoryNode[] {
  const root: StoryNode = { label: "", path: "", screenshots: 0, open: 0, children: [] };
  for (const shot of shots) {
    if (!shot.story) continue;
    let node = root;
    for (const label of shot.story.title.split("/")) {
      node = childOf(node, label);
      node.screenshots += 1;
      if (isUndecided(shot)) node.open += 1;
    }
  }
  return sorted(root.children);
}

/** Returns the paths of all components and folders. */
export function pathsOf(nodes: readonly StoryNode[]): string[] {
  return nodes.flatMap(({ path, children }) => [path, ...pathsOf(children)]);
}

function childOf(parent: StoryNode, label: string): StoryNode {
  const known = parent.children.find(child => child.label === label);
  if (known) return known;
  const path = parent.path === "" ? label : `${parent.path}/${label}`;
  const child = { label, path, screenshots: 0, open: 0, children: [] };
  parent.children.push(child);
  return child;
}

function sorted(nodes: readonly StoryNode[]): StoryNode[] {
  return nodes
    .map(node => ({ ...node, children: sorted(node.children) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}
