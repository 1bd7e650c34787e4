import { useQuery } from "@tanstack/react-query";
import { createContext, use } from "react";
import { Link } from "../navigation.tsx";
import { configurationTexts } from "../texts/configuration.ts";
import { fill } from "../ui/fill.ts";
import { latestRunQuery } from "./queries.ts";

/** Fields that the repository's configuration file set in the project's latest run. */
const RepositoryFields = createContext<readonly string[]>([]);

interface WithRepositoryProps {
  project: string;
  children: React.ReactNode;
}

/** Tells its sections which fields `service.config.ts` sets, and says so at the top. */
export function WithRepositorySettings({ project, children }: WithRepositoryProps) {
  const { data: run } = useQuery(latestRunQuery(project));
  const fields = run?.configuredBy?.repository ?? [];
  return (
    <RepositoryFields value={fields}>
      {run && fields.length > 0 && (
        <p className="banner">
          {fill(configurationTexts.fromRepository, {
            run: <Link to={{ page: "run", id: run.id }}>{configurationTexts.latestRun}</Link>,
            file: <code>{configurationTexts.file}</code>,
            fields: fields.join(", "),
          })}
        </p>
      )}
      {children}
    </RepositoryFields>
  );
}

/** Says which fields of a section the repository's file sets, because they win over the page. */
export function FromRepository({ fields }: { fields: readonly string[] }) {
  const set = use(RepositoryFields).filter(name => fields.includes(name));
  if (set.length === 0) return null;
  return (
    <p className="repository-wins">
      {fill(configurationTexts.repositoryWins, {
        file: <code>{configurationTexts.file}</code>,
        fields: set.join(", "),
      })}
    </p>
  );
}
