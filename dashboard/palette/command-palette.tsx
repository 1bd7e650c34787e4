import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { navigate } from "../navigation.tsx";
import { paletteTexts } from "../texts/palette.ts";
import { Dialog } from "../ui/dialog.tsx";
import { matchCommands } from "./match-commands.rule.ts";
import "./palette.css";
import { useCommands } from "./use-commands.ts";

/** Opens the palette at Ctrl+K or Cmd+K, and by its button. */
export function CommandPalette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      // Another dialog may have unsaved input.
      if (event.shiftKey || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      setOpen(true);
    };
    const open = () => setOpen(true);
    addEventListener("keydown", press);
    addEventListener(OPEN_EVENT, open);
    return () => {
      removeEventListener("keydown", press);
      removeEventListener(OPEN_EVENT, open);
    };
  }, []);
  return isOpen ? <Palette onClose={() => setOpen(false)} /> : null;
}

const OPEN_EVENT = "vrs-palette";

/** Opens the palette. */
export function PaletteButton() {
  return (
    <button
      type="button"
      className="palette-open"
      title={paletteTexts.openTitle}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => dispatchEvent(new Event(OPEN_EVENT))}
    >
      {paletteTexts.open} <kbd>{paletteTexts.shortcut}</kbd>
    </button>
  );
}

function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const listId = useId();
  const commands = matchCommands(useCommands(text), text);
  const current = commands[Math.min(at, commands.length - 1)];
  const go = (command = current) => {
    if (!command) return;
    onClose();
    navigate(command.to);
    scrollTo(0, 0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" && !event.nativeEvent.isComposing) go();
    else if (by !== undefined)
      setAt((Math.min(at, commands.length - 1) + by + commands.length) % Math.max(1, commands.length));
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={paletteTexts.title} onClose={onClose} className="palette">
      <input
        type="search"
        role="combobox"
        aria-label={paletteTexts.search}
        aria-expanded={commands.length > 0}
        aria-controls={listId}
        aria-activedescendant={current ? `${listId} ${current.id}`.replaceAll(/\s/g, "-") : undefined}
        placeholder={paletteTexts.search}
        autoComplete="off"
        autoFocus
        value={text}
        onChange={event => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label={paletteTexts.title}>
        {commands.map(command => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys of the list
          <div
            key={command.id}
            id={`${listId} ${command.id}`.replaceAll(/\s/g, "-")}
            role="option"
            aria-selected={command === current}
            tabIndex={-1}
            onClick={() => go(command)}
          >
            <span className="quiet">{paletteTexts.kinds[command.kind]}</span> <span>{command.label}</span>{" "}
            <span className="quiet palette-detail">{command.detail}</span>
          </div>
        ))}
      </div>
      {commands.length === 0 && <p className="quiet">{paletteTexts.none}</p>}
    </Dialog>
  );
}
