import type { ArrayExpression, Expression, ObjectExpression, TemplateLiteral } from "oxc-parser";
import { PART_ERRORS } from "../texts.ts";
import type { Binding } from "./bindings.ts";
import { describeExpression, isEnvironment } from "./describe-expression.ts";
import {
  type Budget,
  excerpt,
  FORBIDDEN_NAME,
  type SourceFailure,
  type Span,
  VALUE_COST,
} from "./reading.ts";

/**
 * The value of an expression. An unreadable value is a failure only if the configuration uses it, because a
 * file may compute values for plugins.
 */
export type Value = Size &
  Span &
  (
    | { kind: "scalar"; value: string | number | boolean | null | undefined }
    | { kind: "list"; items: Value[] }
    | { kind: "record"; fields: Map<string, { key: Span; value: Value }>; lost: Unread[] }
    | { kind: "unread"; failure: SourceFailure }
  );

type Unread = Extract<Value, { kind: "unread" }>;

/** The cost of naming a value, and its nesting depth. */
interface Size {
  cost: number;
  levels: number;
}

/** Reads the expressions of one file, without running any. */
export class Evaluator {
  readonly #source: string;
  readonly #names: ReadonlyMap<string, Binding>;
  readonly #budget: Budget;
  readonly #constants = new Map<string, Value>();

  constructor(source: string, names: ReadonlyMap<string, Binding>, budget: Budget) {
    this.#source = source;
    this.#names = names;
    this.#budget = budget;
  }

  /** Returns the value of an expression. @throws TooLargeError */
  read(node: Expression, depth = 0): Value {
    this.#budget.enter(depth, node);
    switch (node.type) {
      case "Literal":
        return this.#literal(node);
      case "TemplateLiteral":
        return this.#template(node, depth);
      case "ArrayExpression":
        return this.#list(node, depth);
      case "ObjectExpression":
        return this.#record(node, depth);
      case "UnaryExpression":
        return this.#signed(node, depth);
      case "TSAsExpression":
      case "TSSatisfiesExpression":
      case "TSNonNullExpression":
      case "TSTypeAssertion":
      case "ParenthesizedExpression":
        return this.read(node.expression, depth + 1);
      case "CallExpression":
        return this.#defined(node, depth);
      case "Identifier":
      case "MemberExpression": {
        const value = this.#named(node, depth);
        this.#budget.spend(value.cost, node);
        return value;
      }
      default:
        return this.#unread(node);
    }
  }

  #literal(node: Extract<Expression, { type: "Literal" }>): Value {
    const { value, start, end } = node;
    if (typeof value === "string") return this.#scalar(value, node);
    if (typeof value === "number" || typeof value === "boolean") return this.#scalar(value, node);
    if (value === null && node.raw === "null") return this.#scalar(null, node);
    return this.#unread({ start, end }, PART_ERRORS.notAValue);
  }

  #scalar(value: string | number | boolean | null | undefined, { start, end }: Span): Value {
    const cost = VALUE_COST + (typeof value === "string" ? value.length : 0);
    this.#budget.spend(cost, { start, end });
    return { kind: "scalar", value, start, end, cost, levels: 0 };
  }

  /** Reads a template with constants. */
  #template(node: TemplateLiteral, depth: number): Value {
    const parts: string[] = [];
    for (const [index, quasi] of node.quasis.entries()) {
      parts.push(quasi.value.cooked ?? "");
      const expression = node.expressions[index];
      if (!expression) continue;
      const value = this.read(expression, depth + 1);
      if (value.kind === "unread") return value;
      if (value.kind !== "scalar") return this.#unread(node, PART_ERRORS.objectInString);
      parts.push(String(value.value));
    }
    return this.#scalar(parts.join(""), node);
  }

  #signed(node: Extract<Expression, { type: "UnaryExpression" }>, depth: number): Value {
    if (node.operator !== "-" && node.operator !== "+") return this.#unread(node);
    const value = this.read(node.argument, depth + 1);
    if (value.kind !== "scalar" || typeof value.value !== "number") return this.#unread(node);
    return this.#scalar(node.operator === "-" ? -value.value : value.value, node);
  }

  #list(node: ArrayExpression, depth: number): Value {
    const { start, end } = node;
    const items: Value[] = [];
    for (const element of node.elements) {
      if (element === null) return this.#unread(node, PART_ERRORS.emptyItem);
      if (element.type !== "SpreadElement") {
        items.push(this.read(element, depth + 1));
        continue;
      }
      const spread = this.read(element.argument, depth + 1);
      if (spread.kind === "list") for (const item of spread.items) items.push(item);
      else if (spread.kind === "unread") items.push(spread);
      else items.push(this.#unread(element, PART_ERRORS.spreadsNoArray));
    }
    return { kind: "list", items, start, end, ...this.#sizeAround(items, node) };
  }

  #record(node: ObjectExpression, depth: number): Value {
    const { start, end } = node;
    const fields = new Map<string, { key: Span; value: Value }>();
    const lost: Unread[] = [];
    for (const property of node.properties) {
      if (property.type === "SpreadElement") {
        const spread = this.read(property.argument, depth + 1);
        if (spread.kind === "record") {
          for (const [name, field] of spread.fields) fields.set(name, field);
          lost.push(...spread.lost);
        } else {
          lost.push(spread.kind === "unread" ? spread : this.#unread(property, PART_ERRORS.spreadsNoObject));
        }
        continue;
      }
      const name = this.#fieldName(property, depth);
      if (typeof name !== "string") lost.push(name);
      else if (property.kind !== "init" || property.method) {
        fields.set(name, { key: property.key, value: this.#unread(property, PART_ERRORS.functionValue) });
      } else {
        this.#budget.spend(name.length, property);
        fields.set(name, { key: property.key, value: this.read(property.value, depth + 1) });
      }
    }
    const size = this.#sizeAround([...fields.values().map(({ value }) => value), ...lost], node);
    const names = fields.keys().reduce((sum, name) => sum + name.length, 0);
    return { kind: "record", fields, lost, start, end, levels: size.levels, cost: size.cost + names };
  }

  #sizeAround(parts: Value[], span: Span): Size {
    let cost = VALUE_COST;
    let levels = 0;
    for (const part of parts) {
      cost += part.cost;
      levels = Math.max(levels, part.levels + 1);
    }
    this.#budget.hold(levels, span);
    this.#budget.spend(VALUE_COST, span);
    return { cost, levels };
  }

  #fieldName(
    property: Exclude<ObjectExpression["properties"][number], { type: "SpreadElement" }>,
    depth: number,
  ): string | Unread {
    const { key, computed } = property;
    if (key.type === "PrivateIdentifier") return this.#unread(key, PART_ERRORS.notAName);
    if (!computed && key.type === "Identifier") return this.#allowed(key.name, key);
    const value = this.read(key, depth + 1);
    if (value.kind === "unread") return value;
    const named =
      value.kind === "scalar" && (typeof value.value === "string" || typeof value.value === "number");
    return named ? this.#allowed(String(value.value), key) : this.#unread(key, PART_ERRORS.notAName);
  }

  #allowed(name: string, key: Span): string | Unread {
    return name === FORBIDDEN_NAME ? this.#unread(key, PART_ERRORS.removeName) : name;
  }

  /** Reads `defineConfig(…)`, which returns its argument. The results of other calls are unknown. */
  #defined(node: Extract<Expression, { type: "CallExpression" }>, depth: number): Value {
    const { callee, arguments: given, optional } = node;
    const [config] = given;
    const known = callee.type === "Identifier" ? this.#names.get(callee.name) : undefined;
    const byName = callee.type === "Identifier" && callee.name === "defineConfig";
    const isDefine = known ? known.kind === "define-config" : byName;
    if (!isDefine && byName && known?.kind === "unread")
      return this.#unread(node, PART_ERRORS.is(known.what));
    if (!isDefine || optional || given.length !== 1 || !config || config.type === "SpreadElement") {
      return this.#unread(node);
    }
    return this.read(config, depth + 1);
  }

  /** Reads a name, or a path from one. The value may be large, so each use has its cost. */
  #named(node: Expression, depth: number): Value {
    this.#budget.enter(depth, node);
    if (node.type === "Identifier") return this.#constant(node, depth + 1);
    if (node.type !== "MemberExpression") return this.read(node, depth);
    if (node.optional || node.property.type === "PrivateIdentifier") return this.#unread(node);
    const owner = this.#named(node.object, depth + 1);
    const key = node.computed
      ? this.read(node.property, depth + 1)
      : this.#scalar(node.property.name, node.property);
    if (owner.kind === "unread") return isEnvironment(node, this.#source) ? this.#unread(node) : owner;
    if (key.kind !== "scalar") return this.#unread(node);
    const member =
      owner.kind === "record"
        ? owner.lost.length === 0 && owner.fields.get(String(key.value))?.value
        : owner.kind === "list" && typeof key.value === "number" && owner.items[key.value];
    return member || this.#unread(node, PART_ERRORS.notAField);
  }

  #constant(node: Extract<Expression, { type: "Identifier" }>, depth: number): Value {
    const { name, start } = node;
    const before = this.#constants.get(name);
    const binding = this.#names.get(name);
    if (!binding) {
      if (name === "undefined") return this.#scalar(undefined, node);
      return this.#unread(node, PART_ERRORS.notAConstant);
    }
    if (binding.kind === "unread") return this.#unread(node, PART_ERRORS.is(binding.what));
    if (binding.kind === "define-config") return this.#unread(node, PART_ERRORS.functionValue);
    if (start < binding.declaredAt) return this.#unread(node, PART_ERRORS.usedBefore);
    if (before) return before;
    const value = this.read(binding.init, depth);
    this.#constants.set(name, value);
    return value;
  }

  #unread(node: Expression | Span, message?: string): Unread {
    const { start, end } = node;
    const text = excerpt(this.#source, { start, end });
    const why = message ?? ("type" in node ? describeExpression(node, this.#source) : PART_ERRORS.cannotRead);
    const failure: SourceFailure = { code: "not-static", start, end, message: PART_ERRORS.part(text, why) };
    this.#budget.spend(VALUE_COST, { start, end });
    return { kind: "unread", failure, start, end, cost: VALUE_COST, levels: 0 };
  }
}
