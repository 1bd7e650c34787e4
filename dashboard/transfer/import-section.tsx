import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import type { TeamView } from "../../shared/contracts/teams/people.ts";
import { formatBytes } from "../../shared/text/format.ts";
import { transferApi } from "../api/transfer.ts";
import { importTexts } from "../texts/settings/transfer.ts";
import { Field, Loading, Problem } from "../ui/parts.tsx";
import { messageOf } from "../ui/toast.tsx";
import { ImportResult } from "./import-result.tsx";
import { uploadExport } from "./upload-export.ts";

const POLL_MS = 1_500;

/** Uploads the file of an export, and shows what its import did. */
export function ImportSection({ team }: { team: TeamView }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["import", team.id],
    queryFn: () => transferApi.import(team.id),
    refetchInterval: ({ state }) => (state.data?.status === "running" ? POLL_MS : false),
  });
  const { upload, start, stop } = useUpload(team.id);
  return (
    <section aria-labelledby="import" className="section">
      <h2 id="import">{importTexts.title}</h2>
      <p className="about">{importTexts.about}</p>
      {upload.file === null && data?.status === "receiving" && (data.receivedBytes ?? 0) > 0 && (
        <p role="status">{importTexts.brokenOff(formatBytes(data.receivedBytes ?? 0))}</p>
      )}
      {upload.file === null ? (
        <ImportForm isRunning={data?.status === "running"} onStart={start} />
      ) : (
        <div className="transfer">
          <progress max={upload.file.size} value={upload.bytes} aria-label={importTexts.progress} />
          <p className="quiet" role="status">
            {importTexts.sent(formatBytes(upload.bytes), formatBytes(upload.file.size))}
          </p>
          <button type="button" onClick={stop}>
            {importTexts.cancel}
          </button>
        </div>
      )}
      {upload.error !== null && (
        <p className="fault" role="alert">
          {upload.error}
        </p>
      )}
      {error && data === undefined && <Problem error={error} what={importTexts.thing} again={refetch} />}
      {data === undefined && !error && <Loading what={importTexts.thing} />}
      {data && data.status !== "receiving" && <ImportResult view={data} />}
    </section>
  );
}

interface UploadState {
  /** Null while nothing is sent. */
  file: File | null;
  bytes: number;
  error: string | null;
}

/** Sends a file. Leaving the page stops it. */
function useUpload(teamId: string) {
  const client = useQueryClient();
  const running = useRef<AbortController | null>(null);
  const [upload, setUpload] = useState<UploadState>({ file: null, bytes: 0, error: null });
  useEffect(() => () => running.current?.abort(), []);
  const start = async (file: File, options: Record<string, string>) => {
    const controller = new AbortController();
    running.current = controller;
    setUpload({ file, bytes: 0, error: null });
    try {
      const onProgress = (bytes: number) =>
        setUpload({ file, bytes: Math.min(bytes, file.size), error: null });
      const { signal } = controller;
      const view = await uploadExport({ teamId, file, options, onProgress, signal });
      client.setQueryData(["import", teamId], view);
      setUpload({ file: null, bytes: 0, error: null });
    } catch (error) {
      const isCanceled = controller.signal.aborted;
      setUpload({ file: null, bytes: 0, error: isCanceled ? null : messageOf(error) });
    }
  };
  return { upload, start, stop: () => running.current?.abort() };
}

interface ImportFormProps {
  isRunning: boolean;
  onStart: (file: File, options: Record<string, string>) => void;
}

function ImportForm({ isRunning, onStart }: ImportFormProps) {
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const file = form.get("file");
    if (!(file instanceof File)) return;
    onStart(file, {
      existing: String(form.get("existing")),
      settings: form.has("settings") ? "1" : "0",
      members: form.has("members") ? "1" : "0",
    });
  };
  return (
    <form className="form transfer" onSubmit={submit}>
      <Field label={importTexts.file} hint={importTexts.fileHint}>
        <input name="file" type="file" required accept=".tar,application/x-tar" />
      </Field>
      <Field label={importTexts.existing}>
        <select name="existing">
          {Object.entries(importTexts.choices).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </Field>
      <label className="check">
        <input name="settings" type="checkbox" />
        {importTexts.settings}
      </label>
      <label className="check">
        <input name="members" type="checkbox" />
        {importTexts.members}
      </label>
      <p className="about">{importTexts.membersAbout}</p>
      <div>
        <button type="submit" className="primary" disabled={isRunning}>
          {importTexts.start}
        </button>
      </div>
    </form>
  );
}
