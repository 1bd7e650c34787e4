import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { CreatedKey, KeyView } from "../../shared/contracts/keys.ts";
import { api } from "../api/client.ts";
import { Dialog } from "../ui/dialog.tsx";
import { textIn } from "../ui/form-values.ts";
import { More } from "../ui/more.tsx";
import { Copyable, Field, Problem, Waiting } from "../ui/parts.tsx";
import { useSay, wordsOf } from "../ui/say.tsx";
import { Time } from "../ui/time.tsx";
import { RoleSelect, roleOf } from "./role-select.tsx";

const NO_CURSOR: string | null = null;

/** The team's API keys. A new one is shown once, and never again. */
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
      <h1>API keys</h1>
      <p className="detail">
        For CI and the API. A key belongs to the team, and can do no more than who made it.
      </p>
      <NewKey onCreated={setCreated} />
      {created && (
        <Dialog title={`The key “${created.name}”`} onClose={() => setCreated(null)}>
          <p>Copy it now: it is shown this once. Whoever has it may do what a {created.role} may.</p>
          <Copyable text={created.key} />
          <div className="form-end">
            <button type="button" className="primary" onClick={() => setCreated(null)}>
              I have it
            </button>
          </div>
        </Dialog>
      )}
      {error && !keys && <Problem error={error} what="The keys" again={refetch} />}
      {!keys && !error && <Waiting what="the keys" />}
      {keys?.length === 0 && <p className="empty">The team has no key. Make one above.</p>}
      {keys && keys.length > 0 && (
        <ul className="rows" aria-label="API keys">
          {keys.map(key => (
            <KeyRow key={key.id} of={key} />
          ))}
        </ul>
      )}
      <More list={list}>More keys</More>
    </>
  );
}

function NewKey({ onCreated }: { onCreated: (key: CreatedKey) => void }) {
  const client = useQueryClient();
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
    const body = { name: textIn(fields, "name"), role: roleOf(fields) };
    mutate(body, { onSuccess: () => form.reset() });
  };
  return (
    <form className="line-form" onSubmit={submit}>
      <Field label="Name">
        <input name="name" required maxLength={100} placeholder="CI of the shop" autoComplete="off" />
      </Field>
      <RoleSelect />
      <button type="submit" className="primary" disabled={isPending}>
        Make a key
      </button>
      {error && (
        <p className="fault" role="alert">
          {wordsOf(error)}
        </p>
      )}
    </form>
  );
}

function KeyRow({ of: { id, name, role, tail, createdAt, lastUsedAt } }: { of: KeyView }) {
  const client = useQueryClient();
  const say = useSay();
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.revokeKey(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ["keys"] }),
    onError: error => say({ text: wordsOf(error), isFault: true }),
  });
  return (
    <li>
      <span className="row-what">
        <strong>{name}</strong>
        <span className="quiet">
          {role} · <code>…{tail}</code>
        </span>
      </span>
      <span className="quiet">
        made <Time iso={createdAt} />
      </span>
      <span className="quiet">
        {lastUsedAt ? (
          <>
            used <Time iso={lastUsedAt} />
          </>
        ) : (
          "never used"
        )}
      </span>
      <button type="button" disabled={isPending} onClick={() => setAsked(true)}>
        Revoke
        <span className="hidden"> {name}</span>
      </button>
      {isAsked && (
        <Dialog title={`Revoke “${name}”?`} onClose={() => setAsked(false)}>
          <p>Whatever uses it is refused from now on. This cannot be taken back; a new key can be made.</p>
          <div className="form-end">
            <button type="button" onClick={() => setAsked(false)}>
              Keep it
            </button>
            <button
              type="button"
              className="danger"
              onClick={() => {
                setAsked(false);
                mutate();
              }}
            >
              Revoke
            </button>
          </div>
        </Dialog>
      )}
    </li>
  );
}
