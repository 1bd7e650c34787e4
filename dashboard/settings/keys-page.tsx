import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { CreatedKey, KeyView } from "../../shared/contracts/teams/keys.ts";
import { api } from "../api/client.ts";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { keysTexts } from "../texts/settings/settings.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { fill } from "../ui/fill.ts";
import { textIn } from "../ui/form-values.ts";
import { More } from "../ui/more.tsx";
import { Copyable, Field, Loading, Problem } from "../ui/parts.tsx";
import { Time } from "../ui/text/time.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { accessIn, accessOf, expiryIn, KeyAccess, KeyExpiry } from "./key-access.tsx";

const NO_CURSOR: string | null = null;

/** Lists the team's API keys. A new key is shown once. */
export function KeysPage() {
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const list = useInfiniteQuery({
    queryKey: ["keys"],
    initialPageParam: NO_CURSOR,
    queryFn: ({ pageParam }) => api.keys(pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const { data, error, refetch } = list;
  const keys = data?.pages.flatMap(page => page.data);
  return (
    <>
      <h1>{keysTexts.title}</h1>
      <p className="detail">{keysTexts.about}</p>
      <NewKey onCreated={setCreated} />
      {created && (
        <Dialog title={keysTexts.createdTitle(created.name)} onClose={() => setCreated(null)}>
          <p>{keysTexts.createdAbout(accessOf(created))}</p>
          <Copyable text={created.key} />
          <div className="form-end">
            <button type="button" className="primary" onClick={() => setCreated(null)}>
              {commonTexts.done}
            </button>
          </div>
        </Dialog>
      )}
      {error && !keys && <Problem error={error} what={loadedThings.keys} again={refetch} />}
      {!keys && !error && <Loading what={loadedThings.keys} />}
      {keys?.length === 0 && <p className="empty">{keysTexts.empty}</p>}
      {keys && keys.length > 0 && (
        <ul className="rows keys" aria-label={keysTexts.title}>
          {keys.map(key => (
            <KeyRow key={key.id} of={key} />
          ))}
        </ul>
      )}
      <More list={list}>{keysTexts.more}</More>
    </>
  );
}

function NewKey({ onCreated }: { onCreated: (key: CreatedKey) => void }) {
  const client = useQueryClient();
  const [isUploadOnly, setUploadOnly] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: api.createKey,
    onSuccess(key) {
      onCreated(key);
      void client.invalidateQueries({ queryKey: ["keys"] });
    },
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    mutate(
      { name: textIn(fields, "name"), ...accessIn(fields), ...expiryIn(fields) },
      { onSuccess: () => form.reset() },
    );
  };
  return (
    <form className="line-form" onSubmit={submit} onReset={() => setUploadOnly(false)}>
      <Field label={keysTexts.name}>
        <input
          name="name"
          required
          maxLength={100}
          placeholder={keysTexts.namePlaceholder}
          autoComplete="off"
        />
      </Field>
      <KeyAccess isUploadOnly={isUploadOnly} onChange={setUploadOnly} />
      <KeyExpiry />
      <button type="submit" className="primary" disabled={isPending}>
        {keysTexts.create}
      </button>
      {error && (
        <p className="fault" role="alert">
          {messageOf(error)}
        </p>
      )}
    </form>
  );
}

const isPast = (iso: string) => Date.parse(iso) <= Date.now();

function KeyRow({ of: key }: { of: KeyView }) {
  const { id, name, tail, createdAt, lastUsedAt, expiresAt } = key;
  const client = useQueryClient();
  const showToast = useToast();
  const [isConfirming, setConfirming] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.revokeKey(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ["keys"] }),
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
  });
  return (
    <li>
      <span className="row-what">
        <strong>{name}</strong>
        <span className="quiet">
          {fill(keysTexts.keyFacts, { access: accessOf(key), tail: <code>{keysTexts.tail(tail)}</code> })}
        </span>
      </span>
      <span className="quiet">{fill(keysTexts.created, { time: <Time iso={createdAt} /> })}</span>
      <span className="quiet">
        {lastUsedAt ? fill(keysTexts.used, { time: <Time iso={lastUsedAt} /> }) : keysTexts.neverUsed}
        {expiresAt && (
          <>
            {" · "}
            {fill(isPast(expiresAt) ? keysTexts.expired : keysTexts.expires, {
              time: <Time iso={expiresAt} />,
            })}
          </>
        )}
      </span>
      <button type="button" disabled={isPending} onClick={() => setConfirming(true)}>
        {keysTexts.revoke}
        <span className="hidden"> {name}</span>
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={keysTexts.revokeTitle(name)}
          about={keysTexts.revokeAbout}
          keep={keysTexts.keep}
          confirm={keysTexts.revoke}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            mutate();
          }}
        />
      )}
    </li>
  );
}
