import { PROJECT_OF_ALL_MONITORS } from "../../shared/monitor-project.ts";
import { Link } from "../navigation.tsx";
import { ProjectEmail } from "../notifications/project-email.tsx";
import { ProjectChat } from "../people/project-chat.tsx";
import { useMe } from "../session.tsx";
import { projectSettingTexts as texts } from "../texts/project-settings.ts";
import { projectEmailTexts } from "../texts/settings/notifications.ts";
import { fill } from "../ui/fill.ts";
import { baseOf } from "./use-inherited.ts";

/** Shows where notifications about a project's runs go: its chat channel and addresses, and the emails of members. */
export function Notifications({ project }: { project: string }) {
  const { may } = useMe();
  const base = baseOf(project);
  const account = <Link to={{ page: "settings", setting: "account" }}>{texts.mailLink}</Link>;
  const webhooks = <Link to={{ page: "settings", setting: "webhooks" }}>{texts.webhooksLink}</Link>;
  return (
    <section aria-labelledby="notifications" className="section">
      <h2 id="notifications">{texts.names.notifications}</h2>
      {base === null ? (
        <>
          <ProjectChat project={project} />
          <ProjectEmail project={project} about={projectEmailTexts.about} />
        </>
      ) : (
        <p className="about">
          {fill(texts.ofBase, {
            link: (
              <Link to={{ page: "configuration", project: base, section: "notifications" }}>
                {texts.settingsOf(base)}
              </Link>
            ),
          })}
        </p>
      )}
      <p className="about">{fill(texts.mail, { link: account })}</p>
      {may("admin") && <p className="about">{fill(texts.webhooks, { link: webhooks })}</p>}
    </section>
  );
}

/** Shows the addresses that get the alerts of all monitors. */
export function MonitorNotifications() {
  const channels = (
    <Link to={{ page: "settings", setting: "notifications" }}>{projectEmailTexts.monitorChannels}</Link>
  );
  return (
    <section aria-labelledby="notifications" className="section">
      <h2 id="notifications">{texts.names.notifications}</h2>
      <ProjectEmail project={PROJECT_OF_ALL_MONITORS} about={projectEmailTexts.aboutMonitors} />
      <p className="about">{fill(projectEmailTexts.ofMonitors, { link: channels })}</p>
    </section>
  );
}
