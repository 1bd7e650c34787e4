import { Link } from "../navigation.tsx";
import { baselinesTexts } from "../texts/baselines.ts";
import { commands } from "../texts/commands.ts";
import { Copyable } from "../ui/parts.tsx";

interface NoBaselinesProps {
  /** Whether the team has no project. */
  isFirst: boolean;
  branch: string | null;
}

/** Explains what a baseline is, and how to create the first ones. */
export function NoBaselines({ isFirst, branch }: NoBaselinesProps) {
  return (
    <section className="teach" aria-labelledby="no-baselines">
      <h2 id="no-baselines">{baselinesTexts.emptyTitle(branch)}</h2>
      <p>{baselinesTexts.emptyAbout}</p>
      <p className="actions spaced">
        <Link className="button primary" to={{ page: "runs", filters: {} }}>
          {isFirst ? baselinesTexts.startRun : baselinesTexts.openRuns}
        </Link>
      </p>
      <p>{baselinesTexts.fromTerminal}</p>
      <Copyable text={commands.approveRun(new URL("v1/baselines/RUN_ID/approve", document.baseURI))} />
    </section>
  );
}
