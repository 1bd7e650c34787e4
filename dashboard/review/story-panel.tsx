import type { StoryView } from "../../shared/contracts/runs/stories.ts";
import { Link } from "../navigation.tsx";
import { storyTexts } from "../texts/runs/run.ts";
import { WebLink } from "../ui/text/web-link.tsx";
import { SCREENSHOT_PANELS } from "./history-panel.tsx";

interface StoryPanelProps {
  runId: string;
  story: StoryView;
  /** Name of the mode. */
  mode: string | null;
}

/** Shows the args of a story, and where it is. */
export function StoryPanel({ runId, story, mode }: StoryPanelProps) {
  const { id, title, name, args, url } = story;
  return (
    <details className="viewer-facts" name={SCREENSHOT_PANELS}>
      <summary>{storyTexts.story}</summary>
      <div>
        <dl className="facts">
          <dt>{storyTexts.component}</dt>
          <dd>
            <Link to={{ page: "run", id: runId, find: title }} title={storyTexts.allStories(title)}>
              {title}
            </Link>
          </dd>
          <dt>{storyTexts.story}</dt>
          <dd>{name}</dd>
          <dt>{storyTexts.id}</dt>
          <dd>
            <code>{id}</code>
          </dd>
          {mode !== null && (
            <>
              <dt>{storyTexts.mode}</dt>
              <dd>{mode}</dd>
            </>
          )}
          {Object.keys(args).length > 0 && (
            <>
              <dt>{storyTexts.args}</dt>
              <dd>
                <ArgList args={args} />
              </dd>
            </>
          )}
          {url !== null && (
            <>
              <dt>{storyTexts.link}</dt>
              <dd>
                <WebLink url={url}>{storyTexts.openStory}</WebLink>
              </dd>
            </>
          )}
        </dl>
      </div>
    </details>
  );
}

function ArgList({ args }: Pick<StoryView, "args">) {
  return (
    <ul className="attachments">
      {Object.entries(args).map(([name, value]) => (
        <li key={name}>
          <code>
            {name}: {value}
          </code>
        </li>
      ))}
    </ul>
  );
}

/** Returns the args of a story in one line. */
export function argsText({ args }: Pick<StoryView, "args">): string {
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");
}
