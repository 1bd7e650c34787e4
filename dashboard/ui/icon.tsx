import { type IconName, iconSprite } from "../../shared/report/render/icons.ts";

const SPRITE = { __html: iconSprite().markup };

/** The shapes that icons refer to, once per page. */
export function IconSprite() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: shapes of our own, the report's
  return <div dangerouslySetInnerHTML={SPRITE} />;
}

/** One icon, hidden from screen readers: the word beside it says what it means. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" width="16" height="16" aria-hidden="true">
      <use href={`#icon-${name}`} />
    </svg>
  );
}
