import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import "./styles/index.css";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no place to draw.");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
