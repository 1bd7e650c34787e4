import type { CauseFile } from "../contracts/runs/explanation.ts";
import type { ChangedDeclaration, CssRules } from "./elements/css-rules.ts";
import { matchesSelector } from "./elements/matches-selector.ts";
import type { PageTree } from "./elements/page-tree.ts";
import type { ChangedSheet, LoadedFiles } from "./loaded-files.ts";

/** What caused a change, as far as it is known. */
export interface Blame {
  file: CauseFile | null;
  /** Selector of the rule. */
  rule: string | null;
  /** Custom property that the rule sets, and that other rules use for the element. */
  variable: string | null;
}

export const NO_BLAME: Blame = { file: null, rule: null, variable: null };
/** Longhands that don't begin with their shorthand. */
const SHORTHANDS: readonly [shorthand: RegExp, longhand: RegExp][] = [
  [/^border-(?:color|width|style)$/, /^border-/],
  [/^border-radius$/, /-radius$/],
  [/^gap$/, /^(?:row|column)-gap$/],
  [/^(?:padding|margin)-(?:inline|block)/, /^(?:padding|margin)-/],
  [/^border-(?:inline|block)/, /^border-/],
  [/^font$/, /^line-height$/],
  [/^columns$/, /^column-count$/],
  [/^flex-flow$/, /^flex-/],
  [/^color$/, /^(?:border-.*-color|outline-color|fill|stroke)$/],
];
/** A selector check takes about a microsecond. */
const MAX_CHECKS = 20_000;

interface VariableUse {
  selector: string;
  property: string;
  value: string;
}

/** Finds the file and the rule that caused a change. */
export class FileBlame {
  readonly #files: LoadedFiles;
  readonly #after: PageTree;
  readonly #uses = new Map<ChangedSheet, VariableUse[]>();
  #checksLeft = MAX_CHECKS;

  constructor(files: LoadedFiles, after: PageTree) {
    this.#files = files;
    this.#after = after;
  }

  /** Returns the rule that gives an element another value of a property; null if no changed rule does. */
  ruleFor(node: number, property: string): Blame | null {
    for (const sheet of this.#files.sheets) {
      // The last rule counts, as a rule.
      const own = sheet.declarations.findLast(
        declaration => isOf(declaration.property, property) && this.#matches(node, declaration.selector),
      );
      if (own !== undefined)
        return { file: fileOf(sheet, own) ?? this.markup(), rule: own.selector, variable: null };
      const variable = this.#variableFor(sheet, node, property);
      if (variable !== null)
        return {
          file: fileOf(sheet, variable) ?? this.markup(),
          rule: variable.selector,
          variable: variable.property,
        };
    }
    return null;
  }

  /** Returns the changed declarations of these properties that apply to an element. */
  declarationsFor(node: number, properties: ReadonlySet<string>): (ChangedDeclaration & Blame)[] {
    return this.#files.sheets.flatMap(sheet =>
      sheet.declarations.flatMap(declaration => {
        if (!properties.has(declaration.property) || !this.#matches(node, declaration.selector)) return [];
        return [
          {
            ...declaration,
            file: fileOf(sheet, declaration) ?? this.markup(),
            rule: declaration.selector,
            variable: null,
          },
        ];
      }),
    );
  }

  /** Returns the only stylesheet that changed; null if none or several did. */
  onlySheet(): CauseFile | null {
    const [sheet, ...others] = this.#files.sheets;
    return sheet === undefined || others.length > 0 ? null : sheet.file;
  }

  /** Returns the file that most likely changed the elements: the document, else data, else a script. */
  markup(): CauseFile | null {
    const { changed } = this.#files;
    for (const type of ["document", "fetch", "xhr", "script"]) {
      const files = changed.get(type) ?? [];
      const file = files.find(({ change }) => change === "changed");
      if (file !== undefined) return file;
    }
    return changed.get("script")?.[0] ?? null;
  }

  #variableFor(sheet: ChangedSheet, node: number, property: string): ChangedDeclaration | null {
    const variables = sheet.declarations.filter(declaration => declaration.property.startsWith("--"));
    if (variables.length === 0) return null;
    const uses = this.#usesOf(sheet).filter(
      use => isOf(use.property, property) && this.#matches(node, use.selector),
    );
    const isUsed = (name: string) => uses.some(({ value }) => value.includes(`var(${name}`));
    return variables.find(({ property: name }) => isUsed(name)) ?? null;
  }

  #usesOf(sheet: ChangedSheet): VariableUse[] {
    const uses = this.#uses.get(sheet) ?? variableUses(sheet.rules);
    this.#uses.set(sheet, uses);
    return uses;
  }

  #matches(node: number, selector: string): boolean {
    return this.#checksLeft-- > 0 && matchesSelector(this.#after, node, selector);
  }
}

/** Returns the file of a stylesheet, with the place of a declaration's source if it is known. */
function fileOf({ file }: ChangedSheet, { source }: ChangedDeclaration): CauseFile | null {
  return file === null || source === undefined ? file : { ...file, source };
}

function variableUses(rules: CssRules): VariableUse[] {
  return [...rules].flatMap(([key, declarations]) =>
    [...declarations].flatMap(([property, value]) =>
      value.includes("var(") ? [{ selector: key.slice(key.indexOf(" | ") + 3), property, value }] : [],
    ),
  );
}

/** Returns whether a declaration sets a computed property. */
function isOf(declared: string, property: string): boolean {
  if (declared === property || property.startsWith(`${declared}-`)) return true;
  return SHORTHANDS.some(([shorthand, longhand]) => shorthand.test(declared) && longhand.test(property));
}
