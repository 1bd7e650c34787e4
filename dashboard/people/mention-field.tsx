import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useMe } from "../session.tsx";
import { mentionTexts } from "../texts/people.ts";
import { completeMention, matchingMembers, mentionAt } from "./mention-completion.rule.ts";
import { membersQuery } from "./queries.ts";

interface MentionFieldProps {
  label: string;
  placeholder: string;
  maxLength: number;
  value: string;
  onChange: (text: string) => void;
  /** Called for keys that the list of members doesn't use. */
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}

/** A field for a text with mentions. After `@`, it suggests members of the team. */
export function MentionField({
  label,
  placeholder,
  maxLength,
  value,
  onChange,
  onKeyDown,
}: MentionFieldProps) {
  const { session } = useMe();
  const listId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [cursor, setCursor] = useState(0);
  const [isClosed, setClosed] = useState(true);
  const [at, setAt] = useState(0);
  const mention = isClosed ? null : mentionAt(value, cursor);
  const { data = [] } = useQuery({
    ...membersQuery(session.team?.id ?? ""),
    enabled: mention !== null && session.team !== null,
  });
  const members = mention ? matchingMembers(data, mention.text) : [];
  const current = members[Math.min(at, members.length - 1)];
  const choose = (login: string) => {
    if (!mention) return;
    const completed = completeMention(value, mention, login);
    onChange(completed.text);
    setClosed(true);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(completed.cursor, completed.cursor);
    });
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (!current || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return onKeyDown(event);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined)
      setAt((Math.min(at, members.length - 1) + step + members.length) % members.length);
    else if (event.key === "Enter" || event.key === "Tab") choose(current.login);
    else if (event.key === "Escape") setClosed(true);
    else return onKeyDown(event);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="mention-field">
      <textarea
        ref={field}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={current !== undefined}
        aria-controls={listId}
        aria-activedescendant={current ? `${listId}-${current.id}` : undefined}
        placeholder={placeholder}
        rows={2}
        maxLength={maxLength}
        value={value}
        onChange={event => {
          setCursor(event.currentTarget.selectionStart);
          setClosed(false);
          setAt(0);
          onChange(event.currentTarget.value);
        }}
        onBlur={() => setClosed(true)}
        onKeyDown={press}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={mentionTexts.members}
        className="mention-list"
        hidden={!current}
      >
        {members.map(member => (
          <div
            key={member.id}
            id={`${listId}-${member.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={member === current}
            // The field must keep the focus.
            onPointerDown={event => {
              event.preventDefault();
              choose(member.login);
            }}
          >
            <strong>@{member.login}</strong> {member.name && <span className="quiet">{member.name}</span>}
          </div>
        ))}
      </div>
    </div>
  );
}
