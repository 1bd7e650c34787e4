import assert from "node:assert/strict";
import { adviceFor } from "../../../dashboard/notifications/answer-advice.rule.ts";
import { labeledFailure } from "../../../dashboard/ui/labeled-failure.ts";

describe("The result of a message in the dashboard", () => {
  it("says what to do about the answer of a receiver", () => {
    const cases: [Parameters<typeof adviceFor>, RegExp | null][] = [
      [["failed", "401 invalid_auth"], /Copy it from the tool again/],
      [["failed", "403"], /Copy it from the tool again/],
      [["failed", "404 no_service"], /doesn't know this address/],
      [["failed", "410 Gone"], /doesn't know this address/],
      [["failed", "400 invalid_payload"], /incoming webhook/],
      [["queued", "429 rate limited"], /sent later/],
      [["queued", "503"], /sent again later/],
      [["sent", "200 ok"], null],
      [["dropped", "404"], null],
      [["queued", null], null],
      [["failed", "The receiver can't be reached: 4041 is not a status."], null],
      [["failed", "4040"], null],
    ];
    for (const [[status, answer], advice] of cases)
      if (advice === null) assert.equal(adviceFor(status, answer), null, String(answer));
      else assert.match(adviceFor(status, answer) ?? "", advice);
  });

  it("names a field by its label", () => {
    const failures = [{ path: "slack", message: '"slack" is not allowed.' }];
    assert.equal(
      labeledFailure(failures, "slack", "Incoming webhook URL"),
      "Incoming webhook URL is not allowed.",
    );
    assert.equal(labeledFailure(failures, "secret", "Secret"), undefined);
  });
});
