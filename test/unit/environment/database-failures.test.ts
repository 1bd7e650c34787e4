import assert from "node:assert/strict";
import {
  isDatabaseUnavailable,
  isDeadlock,
  rejectionRemedy,
} from "../../../mixins/database/database-failures.ts";

const withCode = (code: string, message = "it failed") => Object.assign(new Error(message), { code });

describe("Database failures", () => {
  it("distinguish an unavailable server from an invalid statement", () => {
    const away = [
      withCode("57P01", "terminating connection due to administrator command"),
      withCode("57P03", "the database system is starting up"),
      withCode("53300", "sorry, too many clients already"),
      withCode("08006"),
      withCode("40P01", "deadlock detected"),
      withCode("25006", "cannot execute UPDATE in a read-only transaction"),
      withCode("ECONNREFUSED"),
      withCode("ENOTFOUND"),
      Object.assign(new AggregateError([new Error("::1"), new Error("127.0.0.1")]), { code: "ECONNREFUSED" }),
      new Error("Connection terminated unexpectedly"),
      new Error("Connection terminated due to connection timeout"),
      new Error("timeout exceeded when trying to connect"),
      new Error("Query read timeout"),
    ];
    const wrong = [
      withCode("23505", "duplicate key value violates unique constraint"),
      withCode("42601", "syntax error"),
      withCode("28P01", "password authentication failed"),
      withCode("3D000", "database does not exist"),
      new Error("Something with Connection terminated in it"),
      new Error("it failed"),
      "ECONNREFUSED",
      null,
    ];
    assert.deepEqual(
      away.filter(error => !isDatabaseUnavailable(error)),
      [],
    );
    assert.deepEqual(wrong.filter(isDatabaseUnavailable), []);
    const deadlocks = [...away, ...wrong].filter(isDeadlock);
    assert.deepEqual(deadlocks, [withCode("40P01", "deadlock detected")]);
  });

  it("have a remedy for the operator unless waiting helps", () => {
    assert.match(rejectionRemedy(withCode("28P01")) ?? "", /user and password in DATABASE_URL/);
    assert.match(rejectionRemedy(withCode("3D000")) ?? "", /Create this database/);
    assert.match(rejectionRemedy(withCode("SELF_SIGNED_CERT_IN_CHAIN")) ?? "", /sslrootcert/);
    assert.equal(rejectionRemedy(withCode("57P03")), null);
    assert.equal(rejectionRemedy(new Error("it failed")), null);
    assert.equal(rejectionRemedy(undefined), null);
  });
});
