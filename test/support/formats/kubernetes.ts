import assert from "node:assert/strict";
import { ScaledObject } from "@kubernetes-models/keda/keda.sh/v1alpha1";
import { DaemonSet, Deployment, StatefulSet } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Secret, Service } from "kubernetes-models/v1";
import { parseAllDocuments } from "yaml";
import { z } from "zod";

interface Kind<T> {
  kind: string;
  is(value: unknown): value is T;
  new (data: T): { validate(): void };
}

/** A kind of object, and a check that throws for others. */
function checked<T>(Kind: Kind<T>) {
  return {
    kind: Kind.kind,
    check(content: unknown): void {
      assert.ok(Kind.is(content), "apiVersion");
      new Kind(content).validate();
    },
  };
}

const KINDS = [
  checked(ConfigMap),
  checked(DaemonSet),
  checked(Deployment),
  checked(HorizontalPodAutoscaler),
  checked(Ingress),
  checked(NetworkPolicy),
  checked(PodDisruptionBudget),
  checked(ScaledObject),
  checked(Secret),
  checked(Service),
  checked(StatefulSet),
];

const values = z.record(z.string(), z.string());
const objectSchema = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
  data: values.default({}),
  stringData: values.default({}),
});
const env = z.array(z.object({ name: z.string(), value: z.string() })).default([]);
const container = z.looseObject({ image: z.string(), env, envFrom: z.array(z.unknown()).default([]) });
const podSpec = z.looseObject({ containers: z.array(container) });
const podSchema = z.object({
  spec: z.object({ replicas: z.int().optional(), template: z.object({ spec: podSpec }) }),
});
const scalingSchema = z.object({
  spec: z.object({
    scaleTargetRef: z.object({ name: z.string() }),
    maxReplicaCount: z.int(),
    triggers: z.array(z.object({ metadata: values })),
  }),
});

/** An object of a manifest, with all its content beside the parsed fields. */
export type KubernetesObject = z.infer<typeof objectSchema> & { content: unknown };

/** Returns the objects of a manifest. Throws for invalid YAML. */
export function readManifest(text: string): KubernetesObject[] {
  return parseAllDocuments(text).flatMap(document => {
    assert.deepEqual(document.errors, []);
    const content: unknown = document.toJS();
    return content === null ? [] : [{ content, ...objectSchema.parse(content) }];
  });
}

/** Throws if an object isn't valid by the public schema of its kind. */
export function checkObject({ kind, content }: KubernetesObject): void {
  const schema = KINDS.find(candidate => candidate.kind === kind);
  assert.ok(schema, `no schema for ${kind}`);
  schema.check(content);
}

/** Returns the pod of a Deployment, StatefulSet or DaemonSet, with its first container's variables. */
export function readPod({ content }: KubernetesObject) {
  const { replicas, template } = podSchema.parse(content).spec;
  const [node] = template.spec.containers;
  assert.ok(node);
  return {
    replicas,
    spec: template.spec,
    image: node.image,
    env: Object.fromEntries(node.env.map(({ name, value }) => [name, value])),
  };
}

/** Returns what a ScaledObject scales, up to how many pods, and by which queue. */
export function readScaling({ content }: KubernetesObject) {
  const { scaleTargetRef, maxReplicaCount, triggers } = scalingSchema.parse(content).spec;
  return { target: scaleTargetRef.name, most: maxReplicaCount, trigger: triggers[0]?.metadata ?? {} };
}
