/** Texts about stored secrets and their keys, for operators. */
export const SECRET_ERRORS = {
  noKey: "A secret can't be stored without a key. Set SERVICE_SECRET_KEY on this node.",
  unknownKey: (id: string) =>
    `A stored secret was encrypted with a key (id ${id}) that this node does not have. Add that key to the end of SERVICE_SECRET_KEY and start the node again. If the key is lost, start once with SERVICE_DROP_SECRETS=1.`,
  unknownFormat: "A stored secret has a format that this version does not support.",
};
