-- Neovim as a client of zpl-lsp: opens a program, types, asks. SERVER and FILE come from the
-- environment; what is answered goes to standard output.
local function say(...)
  io.stdout:write(table.concat({ ... }, " "), "\n")
end

vim.cmd("edit " .. vim.env.FILE)
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = "zpl-lsp", cmd = { vim.env.SERVER } })
vim.lsp.buf_attach_client(buffer, client)
local function found()
  return #vim.diagnostic.get(buffer)
end
local function ask(method, line, character)
  local parameters = {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    position = { line = line, character = character },
    options = { tabSize = 2, insertSpaces = true },
  }
  local answers = vim.lsp.buf_request_sync(buffer, method, parameters, 20000)
  return answers[client].result
end

vim.wait(20000, function() return vim.lsp.get_client_by_id(client).initialized end)
say("hover:", (ask("textDocument/hover", 23, 4).contents.value:gsub("\n", " ")))
say("definition:", ask("textDocument/definition", 38, 2)[1].range.start.line)
vim.api.nvim_buf_set_text(buffer, 29, 2, 29, 3, { "Y" })
vim.wait(20000, function() return found() > 0 end)
say("diagnostic:", vim.diagnostic.get(buffer)[1].message)
vim.api.nvim_buf_set_text(buffer, 29, 2, 29, 3, { "   X" })
vim.wait(20000, function() return found() == 0 end)
vim.lsp.util.apply_text_edits(ask("textDocument/formatting", 0, 0), buffer, "utf-16")
say("formatted:", "[" .. vim.api.nvim_buf_get_lines(buffer, 29, 30, true)[1] .. "]")
vim.cmd("qall!")
