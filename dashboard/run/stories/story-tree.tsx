import { number } from "../../texts/format.ts";
import { storyTexts } from "../../texts/runs/run.ts";
import type { StoryNode } from "./story-tree.rule.ts";
import "./story-tree.css";

interface StoryTreeProps {
  nodes: readonly StoryNode[];
  /** Path of the selected component. */
  selected: string;
  /** Selects a component; "" for all. */
  onSelect: (path: string) => void;
}

/** Lists the components of a Storybook. A selected one shows all its stories. */
export function StoryTree({ nodes, selected, onSelect }: StoryTreeProps) {
  return (
    <nav className="story-tree" aria-label={storyTexts.components}>
      <button
        type="button"
        className="story-node"
        aria-current={selected === "" ? "true" : undefined}
        onClick={() => onSelect("")}
      >
        <span>{storyTexts.all}</span>
      </button>
      <Branch nodes={nodes} selected={selected} onSelect={onSelect} />
    </nav>
  );
}

function Branch({ nodes, selected, onSelect }: StoryTreeProps) {
  return (
    <ul>
      {nodes.map(({ path, label, screenshots, open, children }) => (
        <li key={path}>
          <button
            type="button"
            className="story-node"
            aria-current={selected === path ? "true" : undefined}
            title={path}
            onClick={() => onSelect(path)}
          >
            <span className="cut-end">{label}</span>
            {open > 0 && (
              <span className="story-open" title={storyTexts.open(open)}>
                {number(open)}
                <span className="hidden"> {storyTexts.open(open)}</span>
              </span>
            )}
            <span className="count">{number(screenshots)}</span>
          </button>
          {children.length > 0 && <Branch nodes={children} selected={selected} onSelect={onSelect} />}
        </li>
      ))}
    </ul>
  );
}
