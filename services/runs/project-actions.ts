import { action, callerAction, NO_RETRY } from "../../shared/contracts/bus.ts";
import { restore } from "./baselines/restore-baseline.ts";
import { compareSides } from "./comparisons/compare-sides.ts";
import { putConfiguration, readConfiguration } from "./configuration/manage-configuration.ts";
import { recordLooks } from "./looks/look.store.ts";
import { readLooks } from "./looks/read-looks.ts";
import { changeRule } from "./noise/change-rule.ts";
import { acceptRegion, dismissRegion, removeIgnoreRegion } from "./noise/decide-region.ts";
import { previewRule } from "./noise/preview-rule.ts";
import { listIgnoreRegions, readNoise, readRuleConfiguration } from "./noise/read-noise.ts";
import { readOverview } from "./overview/read-overview.ts";
import { changeProject } from "./projects/change-project.ts";
import { requestProof } from "./proofs/request-proof.ts";
import {
  listBaselineHistory,
  listBaselines,
  listProjects,
  listScreenshotHistory,
} from "./queries/read-history.ts";
import type { RunsContext } from "./runs-context.ts";
import { deleteSecret, listSecrets, putSecret } from "./secrets/manage-secrets.ts";

/** Actions of projects: their baselines, noise, configuration, secrets, comparisons and looks. */
export const projectActions = {
  baselines: callerAction("runs.baselines", (context: RunsContext, caller, { query }) =>
    listBaselines(context, caller, query),
  ),
  baselineHistory: callerAction("runs.baselineHistory", (context: RunsContext, caller, { query }) =>
    listBaselineHistory(context, caller, query),
  ),
  screenshotHistory: callerAction("runs.screenshotHistory", (context: RunsContext, caller, { query }) =>
    listScreenshotHistory(context, caller, query),
  ),
  projects: callerAction("runs.projects", (context: RunsContext, caller, { query }) =>
    listProjects(context, caller, query),
  ),
  changeProject: callerAction("runs.changeProject", (context: RunsContext, caller, { id, body }) =>
    changeProject(context, caller, id, body),
  ),
  restoreBaseline: callerAction(
    "runs.restoreBaseline",
    (context: RunsContext, caller, { id }) => restore(context, caller, id),
    NO_RETRY,
  ),
  noise: callerAction("runs.noise", (context: RunsContext, caller, { query }) =>
    readNoise(context, caller, query),
  ),
  overview: callerAction("runs.overview", (context: RunsContext, caller, { query }) =>
    readOverview(context, caller, query),
  ),
  ignoreRegions: callerAction("runs.ignoreRegions", (context: RunsContext, caller, { query }) =>
    listIgnoreRegions(context, caller, query),
  ),
  acceptRegion: callerAction("runs.acceptRegion", acceptRegion),
  dismissRegion: callerAction("runs.dismissRegion", dismissRegion),
  previewRule: callerAction("runs.previewRule", previewRule),
  changeRule: callerAction("runs.changeRule", changeRule),
  removeRegion: callerAction("runs.removeRegion", removeIgnoreRegion),
  ruleConfiguration: callerAction("runs.ruleConfiguration", readRuleConfiguration),
  compare: callerAction("runs.compare", compareSides),
  looks: callerAction("runs.looks", readLooks),
  recordLooks: action("runs.recordLooks", async function (this: { context: RunsContext }, seen) {
    await recordLooks(this.context.em(), seen);
    return null;
  }),
  configuration: callerAction("runs.configuration", (context: RunsContext, caller, { project }) =>
    readConfiguration(context, caller, project),
  ),
  // Not retried: a second attempt would find its own change.
  putConfiguration: callerAction("runs.putConfiguration", putConfiguration, NO_RETRY),
  prove: callerAction("runs.prove", requestProof),
  putSecret: callerAction("runs.putSecret", putSecret),
  secrets: callerAction("runs.secrets", (context: RunsContext, caller, { project }) =>
    listSecrets(context, caller, project),
  ),
  deleteSecret: callerAction("runs.deleteSecret", deleteSecret),
};
