import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/client.ts";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { ignoreTexts } from "../texts/ignore.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Loading, Problem } from "../ui/parts.tsx";

/** Shows the active rules as a part of `service.config.ts`. */
export function ExportRules({ project, onClose }: { project: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["ignore-regions", project, "configuration"],
    queryFn: () => api.ruleConfiguration(project),
  });
  const [copied, setCopied] = useState("");
  return (
    <Dialog title={ignoreTexts.exportTitle} onClose={onClose}>
      <p>{ignoreTexts.exportAbout}</p>
      {error && !data && <Problem error={error} what={loadedThings.ignoreRules} again={refetch} />}
      {!data && !error && <Loading what={loadedThings.ignoreRules} />}
      {data && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls with the keyboard */}
          <pre className="exported-rules" tabIndex={0}>
            {data.text}
          </pre>
          {data.left.length > 0 && (
            <>
              <p>{ignoreTexts.leftOut(data.left.length)}</p>
              <ul>
                {data.left.map(({ id, reason }) => (
                  <li key={id}>{reason}</li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
      <div className="form-end">
        <span role="status">{copied}</span>
        <button type="button" onClick={onClose}>
          {commonTexts.close}
        </button>
        <button
          type="button"
          className="primary"
          disabled={!data}
          onClick={() => {
            // Without HTTPS, some browsers have no clipboard. The text can be selected.
            void navigator.clipboard?.writeText(data?.text ?? "").then(() => setCopied(ignoreTexts.copied));
          }}
        >
          {ignoreTexts.copy}
        </button>
      </div>
    </Dialog>
  );
}
