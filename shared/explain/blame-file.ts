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
const VARIABLE = /var\(\s*(--[\w-]+)/g;
/** Custom properties between a changed one and the property that it changes. */
const MAX_CHAIN = 4;
/** A selector check takes about a microsecond. */
const MAX_CHECKS = 20_000;

/** A declaration whose value uses custom properties. */
interface VariableUse {
  selector: string;
  property: string;
  names: string[];
}

/** What of a changed stylesheet can set one property. */
interface RelevantDeclarations {
  sheet: ChangedSheet;
  own: ChangedDeclaration[];
  /** Custom properties, and what uses them for the property. */
  variables: { declaration: ChangedDeclaration; uses: VariableUse[] }[];
}

/** Finds the file and the rule that caused a change. */
export class FileBlame {
  readonly #files: LoadedFiles;
  readonly #after: PageTree;
  readonly #relevant = new Map<string, RelevantDeclarations[]>();
  /** Uses of custom properties in all stylesheets. */
  #uses: VariableUse[] | null = null;
  readonly #names = new Map<string, Set<string>>();
  #checksLeft = MAX_CHECKS;

  constructor(files: LoadedFiles, after: PageTree) {
    this.#files = files;
    this.#after = after;
  }

  /** Returns the rule that gives an element another value of a property; null if no changed rule does. */
  ruleFor(node: number, property: string): Blame | null {
    for (const { sheet, own, variables } of this.#relevantTo(property)) {
      // The last rule counts, as a rule.
      const found = own.findLast(({ selector }) => this.#matches(node, selector));
      if (found !== undefined)
        return { file: fileOf(sheet, found) ?? this.markup(), rule: found.selector, variable: null };
      const variable = variables.find(({ uses }) =>
        uses.some(({ selector }) => this.#matches(node, selector)),
      );
      if (variable !== undefined) {
        const { selector, property: name } = variable.declaration;
        return { file: fileOf(sheet, variable.declaration) ?? this.markup(), rule: selector, variable: name };
      }
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

  /** Returns the changed declarations that can set a property, by their stylesheet. */
  #relevantTo(property: string): RelevantDeclarations[] {
    const known =
      this.#relevant.get(property) ?? this.#files.sheets.map(sheet => this.#relevantIn(sheet, property));
    this.#relevant.set(property, known);
    return known;
  }

  #relevantIn(sheet: ChangedSheet, property: string): RelevantDeclarations {
    const own = sheet.declarations.filter(declaration => isOf(declaration.property, property));
    // Nothing uses the custom properties of a stylesheet that is gone.
    const isGone = sheet.file?.change === "removed";
    const changed = isGone ? [] : sheet.declarations.filter(({ property: name }) => name.startsWith("--"));
    const uses = changed.length === 0 ? [] : this.#usesOf().filter(use => isOf(use.property, property));
    const variables = changed.flatMap(declaration => {
      const names = this.#namesOf(declaration.property);
      const used = uses.filter(use => use.names.some(name => names.has(name)));
      return used.length === 0 ? [] : [{ declaration, uses: used }];
    });
    return { sheet, own, variables };
  }

  #usesOf(): VariableUse[] {
    this.#uses ??= this.#files.allRules().flatMap(variableUses);
    return this.#uses;
  }

  /** Returns a custom property, and those whose values use it. */
  #namesOf(name: string): Set<string> {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const names = new Set([name]);
    const others = this.#usesOf().filter(use => use.property.startsWith("--"));
    for (let depth = 0, before = 0; depth < MAX_CHAIN && before < names.size; depth++) {
      before = names.size;
      for (const use of others) if (use.names.some(used => names.has(used))) names.add(use.property);
    }
    this.#names.set(name, names);
    return names;
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
    [...declarations].flatMap(([property, value]) => {
      if (!value.includes("var(")) return [];
      const names = [...value.matchAll(VARIABLE)].map(([, name = ""]) => name);
      return [{ selector: key.slice(key.indexOf(" | ") + 3), property, names }];
    }),
  );
}

/** Returns whether a declaration sets a computed property. */
function isOf(declared: string, property: string): boolean {
  if (declared === property || property.startsWith(`${declared}-`)) return true;
  return SHORTHANDS.some(([shorthand, longhand]) => shorthand.test(declared) && longhand.test(property));
}
