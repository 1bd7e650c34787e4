import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import type { IgnoreRegionView } from "../../shared/contracts/noise/ignore-rules.ts";
import { api } from "../api/client.ts";

/** The service accepts no ended rule. A new one soon ends by itself, even if its expiry can't be changed. */
const RESTORED_FOR_MS = 3_600_000;

/** Adds an ended rule again, and ends it. An equal rule that was added meanwhile stays as it is. */
export async function restoreRule(project: string, rule: IgnoreRegionView): Promise<void> {
  const { x, y, width, height, threshold, appliesTo, reason, expiresAt } = rule;
  const soon = new Date(Date.now() + RESTORED_FOR_MS).toISOString();
  const restored = await api.acceptRegion({
    ...{ project, ...pickPage(rule), appliesTo },
    ...(threshold === null ? { x, y, width, height } : { threshold }),
    ...(reason !== null && { reason }),
    expiresAt: soon,
  });
  if (restored.expiresAt === soon) await api.changeRule(restored.id, { expiresAt });
}
