import { Type } from "@mikro-orm/core";

/** A column of a page in which the database stores null as ''. */
export class NameOrNull extends Type<string | null, string> {
  override convertToDatabaseValue(value: string | null): string {
    return value ?? "";
  }

  override convertToJSValue(value: string): string | null {
    return value === "" ? null : value;
  }
}
