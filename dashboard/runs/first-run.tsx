import { useMe } from "../session.tsx";
import { Copyable } from "../ui/parts.tsx";
import { SubmitRunForm } from "./submit-run.tsx";

/** What a team sees that has no run yet. */
export function FirstRun() {
  const { may } = useMe();
  if (!may("reviewer"))
    return (
      <p className="empty">
        There is no run yet. Reviewers submit runs, and so does CI with an API key; they appear here.
      </p>
    );
  return (
    <div className="first-run">
      <section aria-labelledby="first-form">
        <h2 id="first-form">Submit the first run</h2>
        <p className="about">
          A run photographs pages of a site. The first one has nothing to compare with: approve it, and every
          later run is compared with it.
        </p>
        <SubmitRunForm />
      </section>
      <section aria-labelledby="first-command">
        <h2 id="first-command">Or from a terminal, and from CI</h2>
        <p className="about">With an API key of this team in place of the dots:</p>
        <Copyable text={command()} />
        <p className="about">
          <a href="docs">Every field of it</a>
        </p>
      </section>
    </div>
  );
}

function command(): string {
  return [
    `curl ${new URL("v1/run", document.baseURI)} \\`,
    `  -H "Authorization: Bearer ..." \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{ "url": "https://example.com", "routes": ["/"], "viewports": [375, 1280] }'`,
  ].join("\n");
}
