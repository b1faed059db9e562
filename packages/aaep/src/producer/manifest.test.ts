import { exportJWK, generateKeyPair, type JWK, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import { createManifest } from "./manifest.ts";
import { signManifest, verifyManifest } from "./signed-manifest.ts";
import { TEST_OFFER } from "./testing/test-producer.ts";

const manifest = createManifest(TEST_OFFER, {
  transports: ["sse", "websocket"],
  maxSubscriptions: 100,
  multiAgent: "shared-session",
  prefix: "/aaep/v1",
  socket: { path: "/run/user/1000/aaep/test-agent.sock", framing: "uint32-be-length" },
});

async function keys(algorithm: "ES256" | "RS256" = "ES256"): Promise<{ readonly own: JWK; readonly shown: JWK }> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  return { own: await exportJWK(privateKey), shown: { ...(await exportJWK(publicKey)), kid: "one" } };
}

describe("a manifest", () => {
  it("states what AAEP asks for and has no members for, under our prefix", () => {
    expect(manifest).toMatchObject({
      "@context": ["https://aaep-protocol.org/context/v1", "urn:earshot:aaep:v1"],
      agent_id: "test-agent",
      aaep_versions_supported: ["1.0.0"],
      extensions: { earshot: { prefix: "/aaep/v1", multi_agent_pattern: "shared-session", socket: { framing: "uint32-be-length" } } },
    });
  });

  it.each(["ES256", "RS256"] as const)("that was signed by %s verifies with the key that is trusted", async (algorithm) => {
    const { own, shown } = await keys(algorithm);
    const signed = await signManifest(manifest, { key: own, algorithm, keyId: "one" });
    expect(signed).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/);
    expect(await verifyManifest(signed, { keys: [shown], agentId: "test-agent" })).toEqual({ ok: true, manifest, keyId: "one" });
  });

  it("is tried with all keys when the signature names none", async () => {
    const [first, second] = await Promise.all([keys(), keys()]);
    const signed = await signManifest(manifest, { key: second.own });
    expect(await verifyManifest(signed, { keys: [first.shown, second.shown] })).toMatchObject({ ok: true });
  });

  it("does not verify when it was changed, signed by somebody else, or belongs to another", async () => {
    const [trusted, other] = await Promise.all([keys(), keys()]);
    const trust = { keys: [trusted.shown], agentId: "test-agent" };
    const signed = await signManifest(manifest, { key: trusted.own, keyId: "one" });
    const [head, , signature] = signed.split(".");
    const forged = Buffer.from(JSON.stringify({ ...manifest, agent_name: "Your bank" })).toString("base64url");
    const wrong = [
      `${head}.${forged}.${signature}`,
      await signManifest(manifest, { key: other.own, keyId: "one" }),
      await signManifest({ ...manifest, agent_id: "another" }, { key: trusted.own, keyId: "one" }),
      await signManifest({ ...manifest, aaep_versions_supported: [] }, { key: trusted.own, keyId: "one" }),
      new UnsecuredJWT({ ...manifest }).encode(),
      `${Buffer.from('{"alg":"none"}').toString("base64url")}.${forged}.AA`,
      "nonsense",
      "",
      "a.b.c",
      "x".repeat(300_000),
    ];
    for (const one of wrong) expect(await verifyManifest(one, trust)).toMatchObject({ ok: false, why: expect.any(String) });
    expect(await verifyManifest(signed, { keys: [] })).toMatchObject({ ok: false });
  });

  it("is not believed because it brings its key along", async () => {
    const [trusted, other] = await Promise.all([keys(), keys()]);
    const { CompactSign } = await import("jose");
    const signed = await new CompactSign(new TextEncoder().encode(JSON.stringify(manifest)))
      .setProtectedHeader({ alg: "ES256", jwk: other.shown })
      .sign(other.own);
    expect(await verifyManifest(signed, { keys: [trusted.shown] })).toMatchObject({ ok: false });
  });
});
