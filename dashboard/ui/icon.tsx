import { type IconName, iconSprite } from "../../shared/report/render/icons.ts";

const SPRITE = { __html: iconSprite().markup };

/** Renders the shapes of icons, once per page. */
export function IconSprite() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: shapes of our own, the report's
  return <div dangerouslySetInnerHTML={SPRITE} />;
}

/** Renders an icon, hidden from screen readers. The word beside it has the meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" width="16" height="16" aria-hidden="true">
      <use href={`#icon-${name}`} />
    </svg>
  );
}
