module example.org/plugins

go 1.18
