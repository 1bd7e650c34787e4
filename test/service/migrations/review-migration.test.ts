import assert from "node:assert/strict";
import { BaselineEntity } from "../../../services/runs/baselines/baseline.entity.ts";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { findReviews } from "../../../services/runs/reviews/review.store.ts";
import { RunEntity } from "../../../services/runs/run.entity.ts";
import { ScreenshotEntity } from "../../../services/runs/screenshot.entity.ts";
import { describeMigration } from "../../support/databases/describe-migration.ts";

describeMigration(
  "The reviews migration",
  { schema: "runs", entities: [RunEntity, ScreenshotEntity, BaselineEntity], migrations, name: "-reviews" },
  schema => {
    const sql = (text: string) => schema.em().execute(text);

    it("keeps reviews with reviewer, verdict, time, and reason, and their baselines", async () => {
      await sql("insert into runs.project values ('proj_1', 'team_1', 'shop', 'main', now())");
      await sql(
        `insert into runs.run (id, team_id, project_id, project, url, scope, default_scope, threshold, options, status,
           body_digest, created_by, created_at)
         values ('run_1', 'team_1', 'proj_1', 'shop', '', 'pr:7', 'branch:main', 0, '{}', 'completed', '', 'key_1', now())`,
      );
      const reviewed = [
        "('shot_a', '/a', 'approved', 'user_1', null, '2026-01-01T00:00:00Z')",
        "('shot_b', '/b', 'rejected', 'key_1', 'Wrong price', '2026-01-02T00:00:00Z')",
        "('shot_c', '/c', null, null, null, null)",
      ];
      await sql(
        `insert into runs.screenshot (id, run_id, position, route, viewport, threshold, status, moving, attempts, regions,
           dispatches, hash, fingerprint, review, reviewed_by, review_reason, reviewed_at)
         select v.id, 'run_1', 0, v.route, 1280, 0, 'changed', '[]', 1, '[]', 0, 'hash', 'print', v.review, v.by, v.reason,
           v.at::timestamptz
         from (values ${reviewed.join()}) as v (id, route, review, by, reason, at)`,
      );
      await sql(
        `insert into runs.baseline (id, project_id, scope, route, viewport, hash, run_id, screenshot_id, approved_by, approved_at)
         values ('base_1', 'proj_1', 'pr:7', '/a', 1280, 'hash', 'run_1', 'shot_a', 'user_1', now())`,
      );
      await schema.migrate();
      const reviews = await findReviews(schema.em(), ["shot_a", "shot_b", "shot_c"]);
      const all = [...reviews.values()].flat();
      assert.deepEqual(
        all.map(review => [
          review.screenshotId,
          review.verdict,
          review.by.kind,
          review.by.id,
          review.reason,
          review.at.getUTCDate(),
        ]),
        [
          ["shot_a", "approved", "user", "user_1", null, 1],
          ["shot_b", "rejected", "key", "key_1", "Wrong price", 2],
        ],
      );
      const screenshots = await schema.em().find(ScreenshotEntity, {}, { orderBy: { id: "asc" } });
      assert.deepEqual(
        screenshots.map(row => [row.review, row.approvals, row.requiredApprovals, row.reviews]),
        [
          ["approved", 1, 1, 1],
          ["rejected", 0, 1, 1],
          [null, 0, null, 0],
        ],
      );
      const [baseline] = await schema.em().find(BaselineEntity, {});
      assert.deepEqual([baseline?.fingerprint, baseline?.approvers], ["print", ["user_1"]]);
    });
  },
);
