import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
} from "yaml";
import { FILE_ERRORS, PART_ERRORS } from "../texts.ts";
import {
  Budget,
  excerpt,
  type Field,
  FORBIDDEN_NAME,
  type Reading,
  type SourceFailure,
  type SourceReading,
  type Span,
  TooLargeError,
  VALUE_COST,
} from "./reading.ts";

/** The parser's own check of unique keys and its error excerpts take quadratic time. */
const OPTIONS = { schema: "core", logLevel: "error", uniqueKeys: false, prettyErrors: false } as const;

/**
 * Reads a configuration in YAML, by the core schema of YAML 1.2. Nothing in it creates objects of other
 * types.
 */
export function readYaml(source: string): SourceReading {
  try {
    const document = parseDocument(source, OPTIONS);
    const [error] = document.errors;
    if (error) {
      const [start, end] = error.pos;
      if (error.code === "RESOURCE_EXHAUSTION") {
        return {
          root: null,
          failures: [{ start, end, code: "too-large", message: FILE_ERRORS.tooDeep }],
        };
      }
      return { root: null, failures: [{ code: "syntax", start, end, message: `${error.message}.` }] };
    }
    return new YamlReader(source, document).read();
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    return { root: null, failures: [{ code: "too-large", ...error.span, message: error.message }] };
  }
}

class YamlReader {
  readonly #source: string;
  readonly #document: Document;
  readonly #budget = new Budget();
  readonly #failures: SourceFailure[] = [];
  /** The targets of aliases: the latest node before it with that anchor. */
  readonly #anchors = new Map<string, Node>();
  #inAlias = false;

  constructor(source: string, document: Document) {
    this.#source = source;
    this.#document = document;
  }

  read(): SourceReading {
    const { contents } = this.#document;
    // An empty file is a configuration with all defaults, like an empty object.
    const root = contents
      ? this.#node(contents, 0)
      : { kind: "record" as const, fields: [], start: 0, end: 0 };
    return { root, failures: this.#failures };
  }

  /** Returns null for an unreadable node. */
  #node(node: Node, depth: number): Reading | null {
    const span = spanOf(node);
    this.#budget.hold(depth, span);
    this.#budget.spend(VALUE_COST, span);
    if (isAlias(node)) return this.#alias(node, depth);
    if (node.anchor && !this.#inAlias) this.#anchors.set(node.anchor, node);
    if (node.tag && !CORE_TAG.test(node.tag)) return this.#failure(span, PART_ERRORS.tag);
    if (isScalar(node)) return this.#scalar(node.value, span);
    if (isSeq<Node>(node)) {
      const items = node.items.flatMap(item => this.#node(item, depth + 1) ?? []);
      return { kind: "list", items, ...span };
    }
    if (isMap<Node | null, Node | null>(node)) {
      const names = new Set<string>();
      return { kind: "record", fields: node.items.flatMap(pair => this.#field(pair, names, depth)), ...span };
    }
    return this.#failure(span, PART_ERRORS.notSupported);
  }

  #scalar(value: unknown, span: Span): Reading | null {
    if (typeof value === "string") this.#budget.spend(value.length, span);
    if (
      value === null ||
      typeof value === "string" ||
      typeof value === "boolean" ||
      typeof value === "number"
    ) {
      return { kind: "scalar", value, ...span };
    }
    return this.#failure(span, PART_ERRORS.notAValue);
  }

  #alias(node: Alias, depth: number): Reading | null {
    const target = this.#anchors.get(node.source);
    if (!target) return this.#failure(spanOf(node), PART_ERRORS.noAnchor);
    const outer = this.#inAlias;
    this.#inAlias = true;
    const read = this.#node(target, depth + 1);
    this.#inAlias = outer;
    return read;
  }

  #field({ key, value }: Pair<Node | null, Node | null>, names: Set<string>, depth: number): Field[] {
    const span = key ? spanOf(key) : { start: 0, end: 0 };
    const name =
      isScalar(key) && (typeof key.value === "string" || typeof key.value === "number") && `${key.value}`;
    if (typeof name !== "string" || name === FORBIDDEN_NAME) {
      this.#failure(span, PART_ERRORS.removeName);
      return [];
    }
    if (names.has(name)) {
      this.#failure(span, PART_ERRORS.duplicate);
      return [];
    }
    names.add(name);
    if (name === "plugins" && depth === 0) {
      this.#failure(span, PART_ERRORS.plugins);
      return [];
    }
    this.#budget.spend(name.length, span);
    const read = value ? this.#node(value, depth + 1) : ({ kind: "scalar", value: null, ...span } as const);
    return read ? [{ name, key: span, value: read }] : [];
  }

  #failure(span: Span, message: string): null {
    this.#failures.push({
      ...span,
      code: "not-static",
      message: PART_ERRORS.part(excerpt(this.#source, span) || PART_ERRORS.this, message),
    });
    return null;
  }
}

const CORE_TAG = /^tag:yaml\.org,2002:(map|seq|str|int|float|bool|null)$/;

function spanOf({ range }: Node): Span {
  const [start, end] = range ?? [0, 0];
  return { start, end };
}
