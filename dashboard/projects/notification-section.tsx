import { Link } from "../navigation.tsx";
import { ProjectChat } from "../people/project-chat.tsx";
import { useMe } from "../session.tsx";
import { projectSettingTexts as texts } from "../texts/project-settings.ts";
import { fill } from "../ui/fill.ts";

/** Shows where notifications about a project's runs go: its chat channel, and the emails of members. */
export function Notifications({ project }: { project: string }) {
  const { may } = useMe();
  const account = <Link to={{ page: "settings", setting: "account" }}>{texts.mailLink}</Link>;
  const webhooks = <Link to={{ page: "settings", setting: "webhooks" }}>{texts.webhooksLink}</Link>;
  return (
    <section aria-labelledby="notifications" className="section">
      <h2 id="notifications">{texts.names.notifications}</h2>
      <ProjectChat project={project} />
      <p className="about">{fill(texts.mail, { link: account })}</p>
      {may("admin") && <p className="about">{fill(texts.webhooks, { link: webhooks })}</p>}
    </section>
  );
}
