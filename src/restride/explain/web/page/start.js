// The script's one name, and its start.

globalThis.restrideExplain = {
  Refusal, applied, composed, mountAll, readConstant, revivedParams, written,
};

if (document.readyState === "loading") {
  document.addEventListener("DOMContentLoaded", () => mountAll());
} else {
  mountAll();
}
