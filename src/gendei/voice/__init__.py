"""Speech adapters: what turns a patient's voice note into text, and an answer into one."""
